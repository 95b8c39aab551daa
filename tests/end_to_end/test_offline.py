"""Without any network, the same works; and no socket is ever asked for but those of this machine."""

from __future__ import annotations

import os
import re
from pathlib import Path

from doubles.privacy import KEEPS_IT_QUIET
from end_to_end.stage import Stage, on_stage
from end_to_end.voices import PAUSE, Listener, Speech, likeness, plain, spoken, trimmed

from companion.app.orders import Shutdown

SETTINGS = """
[wake]
word = "alexa"

[models]
answer_tokens = 30
"""
ALEXA = ("alexa/104.flac", "alexa/322.flac")
ORDERS = (
    ("commands/7e61d80c-73f6-4f77-a200-2d60ec265bc2.flac", "dark roast house coffee almond milk"),
    ("commands/22aca806-3cfb-4ada-9dc0-695bd372cbd3.flac", "medium roast triple shot coffee almond milk"),
)


async def test_real_voices_are_answered_without_a_network_or_a_look_for_one(
    shelf_folder: Path, listener: Listener, speech: Speech, tmp_path: Path
) -> None:
    calls = tmp_path / "calls"
    async with on_stage(
        tmp_path / "home",
        shelf_folder,
        listener,
        settings=SETTINGS,
        wrapper=(*AS_AT_HOME, *NO_NETWORK, *watched(calls)),
    ) as stage:
        for call, (order, slots) in zip(ALEXA, ORDERS, strict=True):
            await an_order_is_answered_by_the_model(stage, call, order, slots)
        await a_sum_is_said(stage, speech)
        await stage.order(Shutdown())
        assert await stage.companion.ended() == 0
    families = re.findall(r"\b(?:AF|PF)_\w+", calls.read_text())
    assert "AF_UNIX" in families, "the control socket was not seen, so nothing was watched"
    assert set(families) == {"AF_UNIX"}, foreign(calls)


async def an_order_is_answered_by_the_model(stage: Stage, call: str, order: str, slots: str) -> None:
    said = await stage.ask(trimmed(spoken(call)) + PAUSE + trimmed(spoken(order)))
    assert likeness(said.heard, slots) >= 0.8, said
    assert likeness(said.sounded, said.said) >= 0.6, said
    assert stage.companion.history()[-1]["text"] == said.said
    await stage.hush()


async def a_sum_is_said(stage: Stage, speech: Speech) -> None:
    told = await stage.ask(trimmed(spoken(ALEXA[0])) + PAUSE + speech.say("What is seven times eight?"))
    assert plain(told.said).endswith("fifty six")
    assert "fifty six" in plain(told.sounded)
    await stage.hush()


NO_NETWORK = ("unshare", "--net") if os.geteuid() == 0 else ("unshare", "--map-root-user", "--net")
AS_AT_HOME = ("env", *(f"--unset={name}" for name in KEEPS_IT_QUIET))
"""Some libraries behave better where they believe to be tested."""


def watched(calls: Path) -> tuple[str, ...]:
    """What writes down every socket a command and its children ask for."""
    strace = ("strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=socket,socketpair", "-e", "signal=none")
    return (*strace, "-o", str(calls))


def foreign(calls: Path) -> str:
    return "\n".join(line for line in calls.read_text().splitlines() if "AF_UNIX" not in line)
