"""Microphone and loudspeaker are lent and come back, whatever happens meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from doubles import virtual_time
from doubles.ears import Recogniser, Room
from doubles.mouth import Loudspeaker, Voice
from doubles.senses import RoomSenses, SureJudge

from companion.app.build import build
from companion.app.companion import Companion
from companion.app.ensemble import Ensemble
from companion.app.events import Telling
from companion.app.loan import LET_GO_WITHIN, Loan
from companion.app.orders import Status
from companion.app.paths import Paths
from companion.app.sound import Ends
from companion.errors import ControlError
from companion.settings.schema import Settings


class Home:
    """A companion that opens a new room each time its ears are opened."""

    def __init__(self, tmp_path: Path) -> None:
        self.paths = Paths.under(tmp_path / "home")
        self.paths.prepare()
        self.rooms: list[Room] = []
        self.open = 0
        self.most_open = 0

    async def open_ends(self, telling: Telling) -> Ends:
        await asyncio.sleep(0.1)
        room = Room()
        self.rooms.append(room)
        self.open += 1
        self.most_open = max(self.most_open, self.open)

        async def close() -> None:
            await asyncio.sleep(0.1)
            self.open -= 1

        return Ends(room, Loudspeaker(), close)

    async def companion(self) -> Companion:
        models = Ensemble(
            hear=Recogniser(),
            think=None,
            think_name="",
            speak=Voice(),
            voice_name="",
            judge=SureJudge(),
            residents=[],
            steps=[],
        )
        return await build(
            Settings(), self.paths, Telling(), ensemble=models, senses=RoomSenses(), open_ends=self.open_ends
        )


async def phase(companion: Companion) -> str:
    return str((await companion.perform(Status()))["phase"])


@pytest.mark.parametrize("after", [0.0, 0.05, 0.15, 1.0])
def test_a_conversation_lets_go_for_a_trial_and_goes_on_after_it(tmp_path: Path, after: float) -> None:
    async def scene() -> None:
        home = Home(tmp_path)
        companion = await home.companion()
        life = asyncio.create_task(companion.run())
        await asyncio.sleep(after)
        for _ in range(2):
            async with companion.lent():
                assert home.open == 0
                await asyncio.sleep(3.0)
                assert home.open == 0
            await asyncio.sleep(1.0)
            assert home.open == 1
            assert await phase(companion) == "asleep"
        assert not life.done()
        home.rooms[-1].end()
        await asyncio.wait_for(life, 30)
        await companion.close()

    virtual_time.run(scene())


def test_two_trials_at_once_both_have_them_and_the_last_gives_them_back() -> None:
    async def scene() -> None:
        loan, asked = Loan(), 0

        async def let_go() -> None:
            nonlocal asked
            asked += 1

        async with loan.out(let_go):
            async with loan.out(let_go):
                assert loan.is_out
            assert loan.is_out
        assert not loan.is_out
        assert asked == 2
        await loan.over()

    virtual_time.run(scene())


def test_a_conversation_that_does_not_let_go_is_told_and_costs_nothing() -> None:
    async def scene() -> None:
        loan = Loan()

        async def let_go() -> None:
            await asyncio.sleep(0)

        with loan.in_use():
            began = asyncio.get_running_loop().time()
            with pytest.raises(ControlError, match="let go"):
                async with loan.out(let_go):
                    raise AssertionError
            assert asyncio.get_running_loop().time() - began == pytest.approx(LET_GO_WITHIN)
            assert loan.was_asked_for
        await loan.over()

    virtual_time.run(scene())
