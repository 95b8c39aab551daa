"""The bundle tells what helps, nothing that was said, and is written whole or not at all."""

from __future__ import annotations

import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from companion.app.diagnostics.bundle import LOG_BYTES, Known, Sheet, gathered, save
from companion.app.doctor import Finding, State
from companion.app.paths import Paths
from companion.app.turn_log import TurnRecord
from companion.errors import BadInput, StorageError
from companion.model import ModelReport
from companion.settings.schema import General, Knowledge, Models, Settings, Sound

SETTINGS = Settings(
    general=General(name="Emma Berg", language="zh"),
    sound=Sound(microphone="Emma's headset", volume=0.3),
    models=Models(recogniser="whisper-base"),
    knowledge=Knowledge(folders=("/home/Emma/papers",)),
)
TURN = TurnRecord(
    at=datetime(2026, 11, 30, 14, 20).astimezone(),
    turn=1,
    asked="what does Emma like",
    spoken=True,
    said="banana bread",
    source="model:smollm2",
    seconds=(("wait", 0.3), ("first_token", 0.25)),
    total=0.55,
)
KNOWN = Known(
    problems=(("microphone", "the microphone 'Emma's headset' was unplugged"),),
    findings=(Finding("disk", State.WARN, "0.2 GB free", "Free some space."),),
    models=(ModelReport("whisper-base", loaded=True, load_seconds=1.25),),
    turns=(TURN,),
)


def sheets(tmp_path: Path, log: str = "") -> dict[str, str]:
    paths = Paths.under(tmp_path)
    paths.prepare()
    paths.log_file.write_text(log)
    return {sheet.name: sheet.text for sheet in gathered(SETTINGS, paths, KNOWN)}


def test_it_tells_machine_problems_models_times_and_what_was_changed(tmp_path: Path) -> None:
    told = sheets(tmp_path)

    assert set(told) == {"about.txt", "problems.txt", "models.txt", "times.txt", "settings.txt", "log.txt"}
    assert "python: 3." in told["about.txt"]
    assert "[warn] disk: 0.2 GB free" in told["problems.txt"]
    assert told["models.txt"] == "whisper-base: loaded in 1.2 s\n"
    assert told["times.txt"] == "spoken, model, answered: wait 0.30, first_token 0.25, total 0.55\n"
    assert "sound.volume = 0.3" in told["settings.txt"]
    assert "models.recogniser = whisper-base" in told["settings.txt"]


def test_nothing_private_is_in_it(tmp_path: Path) -> None:
    log = "2026-11-30 14:20:00,123 INFO    companion.x: heard: banana\n" * 3
    everything = "\n".join(sheets(tmp_path, log).values()).lower()

    assert not [word for word in ("emma", "berg", "headset", "papers", "banana", str(tmp_path)) if word in everything]
    assert "knowledge.folders is changed" in everything


def test_of_a_long_log_the_end_is_taken(tmp_path: Path) -> None:
    line = "2026-11-30 14:20:00,123 INFO    companion.x: number {}\n"
    told = sheets(tmp_path, "".join(line.format(number) for number in range(20_000)))["log.txt"]

    assert len(told) <= LOG_BYTES
    assert told.endswith("number 19999")
    assert told.startswith("2026-")


def test_it_is_saved_for_its_owner_alone_and_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    file = tmp_path / "bundle.zip"
    file.write_text("an older one")
    save(file, [Sheet("about.txt", "hello"), Sheet("log.txt", "你好")])

    assert file.stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(file) as bundle:
        assert bundle.namelist() == ["companion/about.txt", "companion/log.txt"]
        assert bundle.read("companion/log.txt").decode() == "你好"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("name", ["bundle.txt", "../bundle.zip"])
def test_a_place_that_cannot_hold_it_is_refused(name: str) -> None:
    with pytest.raises(BadInput):
        save(Path(name), [Sheet("about.txt", "hello")])


def test_a_place_that_cannot_be_written_is_told_and_left_as_it_was(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as fault:
        save(tmp_path / "nowhere" / "bundle.zip", [Sheet("about.txt", "hello")])

    assert fault.value.mend
    assert list(tmp_path.iterdir()) == []
