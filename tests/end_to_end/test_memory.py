"""What is said aloud is remembered by the companion that is started the next day."""

from __future__ import annotations

from pathlib import Path

from end_to_end.commands import typed
from end_to_end.stage import on_stage
from end_to_end.voices import Listener, Speech, plain

SETTINGS = """
[wake]
follow_up = 2.5
"""


async def test_a_name_that_was_told_is_known_after_a_restart_and_forgotten_after_a_yes(
    tmp_path: Path, shelf_folder: Path, listener: Listener, speech: Speech
) -> None:
    home = tmp_path / "home"
    async with on_stage(home, shelf_folder, listener, settings=SETTINGS) as stage:
        told = await stage.ask(speech.call("remember that my sister is called Emma."))
        assert "emma" in plain(told.heard)
        assert plain(told.said) == "i'll remember that"
        assert await stage.companion.end() == 0

    async with on_stage(home, shelf_folder, listener, settings=SETTINGS) as stage:
        asked = await stage.ask(speech.call("what is my sister called?"))
        assert plain(asked.said) == "your sister is called emma"
        assert "emma" in plain(asked.sounded)
        # The same memory by the command of a second process, while the companion runs.
        shown = await typed(home, "memory", "show", "Emma")
        assert (shown.status, shown.errors) == (0, "")
        assert "my sister is called Emma" in shown.output

        await stage.hush()
        sure = await stage.ask(speech.call("forget everything about Emma."))
        assert "for good" in plain(sure.said)
        gone = await stage.ask(speech.say("Yes, please."))
        assert plain(gone.said) == "it is forgotten"
        shown = await typed(home, "memory", "show")
        assert "Emma" not in shown.output
        log = stage.companion.paths.log_file.read_text()
        assert "Emma" not in log
        assert "Traceback" not in log
