"""The models are chosen by the settings, the shelf and the machine; what is missing is told, not hidden."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from companion.app import ensemble
from companion.app.ensemble import gather, speaking
from companion.app.events import Problem, Telling
from companion.app.models import ModelRoom
from companion.app.paths import Paths
from companion.catalog.machine import Machine
from companion.catalog.manifest import Kind, Manifest, ModelFile
from companion.catalog.shelf import Shelf
from companion.errors import ChecksumMismatch, ModelMissing, SettingsError
from companion.settings.schema import General, Models, Settings

ENDINGS = {
    Kind.RECOGNISER: ".bin", Kind.LANGUAGE_MODEL: ".gguf", Kind.VOICE: ".onnx", Kind.TURN_JUDGE: ".onnx",
    Kind.EMBEDDER: ".safetensors",
}  # fmt: skip


def manifest(name: str, kind: Kind, languages: tuple[str, ...] = ("en",), rank: int = 1) -> Manifest:
    file = ModelFile(f"model{ENDINGS[kind]}", 4, hashlib.sha256(b"good").hexdigest(), ())
    return Manifest(name, kind, name, "", "MIT", languages, 1, 1, 1, rank, (file,))


ALL = {
    found.name: found
    for found in (
        manifest("ear", Kind.RECOGNISER, ("en", "de")),
        manifest("big-ear", Kind.RECOGNISER, ("en", "de"), rank=3),
        manifest("ear-for-english", Kind.RECOGNISER, rank=2),
        manifest("mind", Kind.LANGUAGE_MODEL),
        manifest("joe", Kind.VOICE),
        manifest("amy", Kind.VOICE, rank=2),
        manifest("hans", Kind.VOICE, ("de",)),
        manifest("judge", Kind.TURN_JUDGE),
        manifest("finder", Kind.EMBEDDER),
    )
}


@pytest.fixture
def make(tmp_path: Path):
    def room(*names: str, settings: Settings | None = None, content: bytes = b"good") -> ModelRoom:
        shelf = Shelf(tmp_path / "models", ALL)
        for name in names:
            folder = shelf.place(name)
            folder.mkdir(parents=True)
            (folder / ALL[name].files[0].name).write_bytes(content)
        machine = Machine(memory_mb=8000, cores=2, is_pi=False)
        return ModelRoom(settings or Settings(), Paths.under(tmp_path), shelf, machine)

    return room


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> tuple[Telling, list[Problem]]:
    monkeypatch.setattr(ensemble.shutil, "which", lambda program: None)
    telling, problems = Telling(), []
    telling.subscribe(problems.append)
    return telling, problems


def test_the_settings_choose_and_else_what_is_on_the_shelf(make) -> None:
    assert make("ear").manifest(Kind.RECOGNISER).name == "ear"
    named = Settings(models=Models(recogniser="big-ear"))
    assert make(settings=named).manifest(Kind.RECOGNISER).name == "big-ear"


def test_what_translates_knows_more_than_english(make) -> None:
    room = make("ear-for-english", "ear")
    assert room.manifest(Kind.RECOGNISER).name == "ear-for-english"
    assert room.recogniser(translate=True).report.name == "ear"


def test_what_finds_by_meaning_is_taken_from_the_shelf(make) -> None:
    with pytest.raises(ModelMissing, match="finder"):
        make().embedding()
    assert make("finder").embedding().name == "finder"


@pytest.mark.parametrize("name", ["joe", "no-such-model"])
def test_a_setting_that_names_no_such_model_is_bad_input(make, name: str) -> None:
    with pytest.raises(SettingsError) as fault:
        make("ear", settings=Settings(models=Models(recogniser=name))).recogniser()
    assert fault.value.field == "models.recogniser"
    assert "ear, big-ear" in fault.value.mend


def test_without_a_recogniser_there_is_no_companion(make, told: tuple[Telling, list[Problem]]) -> None:
    with pytest.raises(ModelMissing) as fault:
        gather(make("mind", "joe"), told[0])
    assert "companion models pull big-ear" in fault.value.mend


def test_wrong_bytes_never_reach_a_parser(make) -> None:
    with pytest.raises(ChecksumMismatch):
        make("ear", content=b"evil").recogniser()


def test_without_the_others_there_is_one_that_says_what_it_lacks(make, told: tuple[Telling, list[Problem]]) -> None:
    telling, problems = told
    models = gather(make("ear"), telling)
    assert models.think is None
    assert models.judge is None
    assert {problem.topic for problem in problems} == {"turn judge", "voice", "language model"}
    assert all("companion models pull" in problem.mend for problem in problems)


def test_everything_there_is_put_in_the_order_a_turn_needs_it(make, told: tuple[Telling, list[Problem]]) -> None:
    models = gather(make("ear", "mind", "joe", "judge"), told[0])
    assert [step.topic for step in models.steps] == ["recogniser", "turn judge", "voice", "language model"]
    assert models.think_name == "mind"
    assert told[1] == []


def test_each_language_has_its_best_voice_and_the_user_s_own_choice_counts(make) -> None:
    room = make("joe", "amy", "hans")
    assert {language: file.parent.name for language, file in room.voices().items()} == {"en": "amy", "de": "hans"}
    chosen = ModelRoom(Settings(models=Models(voice="joe")), room.paths, room.shelf, room.machine)
    assert {language: file.parent.name for language, file in chosen.voices().items()} == {"en": "joe", "de": "hans"}


def test_a_language_without_a_voice_names_the_one_to_pull(make, told: tuple[Telling, list[Problem]]) -> None:
    room = make("joe", settings=Settings(general=General(language="de")))
    problem = ensemble._no_voice_for("de", room, by=None)
    assert "for German" in problem.message
    assert "companion models pull hans" in problem.mend
    nobody = ensemble._no_voice_for("xx", room, by=None)
    assert nobody.mend


def test_nothing_to_speak_with_is_an_error_where_speech_is_all_that_was_asked_for(
    make, told: tuple[Telling, list[Problem]]
) -> None:
    with pytest.raises(ModelMissing):
        speaking(make(), told[0])
