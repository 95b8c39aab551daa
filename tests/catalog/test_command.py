"""``companion models``: what a person and a script see."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from doubles.models import hub_file, model, some_bytes
from typer.testing import CliRunner

from companion.app import shelf as wiring
from companion.app.paths import Paths
from companion.app.shelf import Phase, Progress, pull_models
from companion.catalog.manifest import Kind, Manifest
from companion.cli import pulling
from companion.cli.models import app
from companion.errors import BadInput, ModelMissing, SourceUnreachable, UnknownModel

CONTENT = some_bytes(6_000_000)


@pytest.fixture(autouse=True)
def manifests(monkeypatch: pytest.MonkeyPatch) -> dict[str, Manifest]:
    """One small model of each kind stands for those that come with the program."""
    names = {
        Kind.RECOGNISER: "whisper-base", Kind.VOICE: "piper-en_US-joe-medium",
        Kind.LANGUAGE_MODEL: "smollm2-135m", Kind.TURN_JUDGE: "smart-turn-v3.2",
    }  # fmt: skip
    files = {kind: hub_file(f"{kind}.bin", CONTENT + kind.encode()) for kind in names}
    made = {name: model(name, files[kind], kind=kind) for kind, name in names.items()}
    monkeypatch.setattr(wiring, "load_manifests", lambda folder: made)
    return made


@pytest.fixture
def stick(tmp_path: Path, manifests: dict[str, Manifest]) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    for manifest in manifests.values():
        (folder / manifest.files[0].name).write_bytes(CONTENT + manifest.kind.encode())
    return folder


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == status, result.output
    return result.stdout


def test_pull_without_a_name_brings_what_one_begins_with(stick: Path) -> None:
    run("pull", "--from", str(stick))
    listed = json.loads(run("list", "--json"))
    assert listed["shelf"] == str(Paths.here().shelf)
    assert [each["on_shelf"] for each in listed["models"]] == [True] * 4
    assert {each["name"]: each["why"] for each in listed["models"]}["whisper-base"].startswith("whisper-base: fits")


def test_the_list_is_for_people_too(stick: Path) -> None:
    run("pull", "--from", str(stick), "whisper-base")
    lines = run("list").splitlines()
    assert any(line.startswith("whisper-base") and "on the shelf" in line and "MIT" in line for line in lines)
    assert any(line.startswith("smollm2-135m") and "not here" in line for line in lines)
    assert any("and answers in English" in line for line in lines)


def test_verify_finds_what_decayed(stick: Path) -> None:
    run("pull", "--from", str(stick))
    assert run("verify").count(": good") == 4
    file = Paths.here().shelf / "whisper-base/recogniser.bin"
    file.write_bytes(b"x" + file.read_bytes()[1:])
    assert "whisper-base/recogniser.bin: wrong bytes" in run("verify", status=1)
    told = json.loads(run("verify", "whisper-base", "--json", status=1))
    assert told == {"whisper-base": {"recogniser.bin": "wrong bytes"}}


def test_verify_of_what_is_not_there_fails() -> None:
    assert run("verify") == ""
    assert "missing" in run("verify", "whisper-base", status=1)


def test_remove_says_what_is_free_again(stick: Path) -> None:
    run("pull", "--from", str(stick), "whisper-base")
    assert run("remove", "whisper-base").startswith("whisper-base: removed, 6.0 MB are free again")
    assert run("remove", "whisper-base") == "whisper-base: was not there\n"


def test_a_model_that_is_only_a_link_here_is_said_to_be_removed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "file").write_text("kept")
    place = Paths.here().shelf / "whisper-base"
    place.parent.mkdir(parents=True)
    place.symlink_to(elsewhere)

    assert run("remove", "whisper-base") == "whisper-base: removed\n"
    assert run("remove", "whisper-base") == "whisper-base: was not there\n"
    assert (elsewhere / "file").exists()


@pytest.mark.parametrize("option", ["--from", "--to"])
async def test_a_file_in_the_place_of_a_folder_is_bad_input(tmp_path: Path, option: str) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(BadInput, match="is no folder"):
        await (pull_models(stick=tmp_path / "file") if option == "--from" else pull_models(to=tmp_path / "file"))
    with pytest.raises(BadInput, match="is no folder"):
        await pull_models(stick=tmp_path / "nowhere")


def test_one_wrong_name_removes_nothing(stick: Path) -> None:
    run("pull", "--from", str(stick), "whisper-base")
    with pytest.raises(UnknownModel):
        run("remove", "whisper-base", "whisper-bass")
    assert "on the shelf" in run("list")


def test_path_is_the_shelf_or_a_whole_model(stick: Path) -> None:
    shelf = Paths.here().shelf
    assert run("path") == f"{shelf}\n"
    with pytest.raises(ModelMissing, match=r"recogniser\.bin \(6\.0 MB, sha256"):
        run("path", "whisper-base")
    run("pull", "--from", str(stick), "whisper-base")
    assert json.loads(run("path", "whisper-base", "--json")) == {"path": str(shelf / "whisper-base")}


def test_a_stick_that_lacks_something_names_all_of_it(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceUnreachable) as caught:
        run("pull", "--from", str(tmp_path / "empty"), "whisper-base", "smollm2-135m")
    assert "recogniser.bin" in str(caught.value)
    assert "language-model.bin" in str(caught.value)
    assert "companion models pull whisper-base smollm2-135m`" in caught.value.mend
    assert "--to /media/stick" in caught.value.mend


async def test_a_stick_is_filled_from_the_shelf_and_fills_another(
    tmp_path: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await pull_models(stick=stick)
    await pull_models(to=tmp_path / "for-them")
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "their-home"))
    await pull_models(stick=tmp_path / "for-them")
    assert len(wiring.build_shelf().names()) == 4


def steps(total: int) -> list[Progress]:
    fetched = [Progress("joe", "a.bin", total * part // 20, total, Phase.FETCHING) for part in range(1, 21)]
    checked = [Progress("joe", "a.bin", total * part // 2, total, Phase.CHECKING) for part in (1, 2)]
    return [*fetched, *checked, Progress("joe", "", total, total, Phase.READY)]


def test_plain_lines_are_few(capsys: pytest.CaptureFixture[str]) -> None:
    with pulling.told() as on_progress:
        for step in steps(100_000_000):
            on_progress(step)
    assert capsys.readouterr().err.splitlines() == [
        "joe/a.bin: fetching 5 % of 100.0 MB",
        "joe/a.bin: fetching 25 % of 100.0 MB",
        "joe/a.bin: fetching 50 % of 100.0 MB",
        "joe/a.bin: fetching 75 % of 100.0 MB",
        "joe/a.bin: fetching 100 % of 100.0 MB",
        "joe/a.bin: checking",
        "joe: on the shelf",
    ]


def test_small_files_have_no_lines_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    with pulling.told() as on_progress:
        for step in steps(1000):
            on_progress(step)
    assert capsys.readouterr().err == "joe: on the shelf\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("no_colour", "has_colour"), [("1", False), ("", True)])
def test_a_terminal_gets_a_bar_and_colour_only_if_wanted(
    monkeypatch: pytest.MonkeyPatch, no_colour: str, *, has_colour: bool
) -> None:
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", no_colour)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    with pulling.told() as on_progress:
        for step in steps(100_000_000):
            on_progress(step)
    shown = screen.getvalue()
    assert "joe: on the shelf" in shown
    assert ("\x1b[38;" in shown or "\x1b[32m" in shown or "\x1b[35m" in shown) == has_colour
