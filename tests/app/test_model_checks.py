"""The doctor reads the models that would be used, and says what is lost without each."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from companion.app.doctor import Finding, State
from companion.app.model_checks import model, model_checks
from companion.app.models import ModelRoom
from companion.app.paths import Paths
from companion.catalog.machine import Machine
from companion.catalog.manifest import Kind, Manifest, ModelFile
from companion.catalog.shelf import Shelf
from companion.settings.schema import General, Models, Settings


def manifest(name: str, kind: Kind) -> Manifest:
    file = ModelFile("weights.bin", 4, hashlib.sha256(b"good").hexdigest(), ())
    return Manifest(name, kind, name, "", "MIT", ("en",), 1, 1, 1, 1, (file,))


MANIFESTS = {kind.value: manifest(kind.value, kind) for kind in Kind}


@pytest.fixture
def room(tmp_path: Path) -> ModelRoom:
    paths = Paths.under(tmp_path)
    machine = Machine(memory_mb=8000, cores=2, is_pi=False)
    return ModelRoom(Settings(), paths, Shelf(paths.shelf, MANIFESTS), machine)


def put(room: ModelRoom, kind: Kind, content: bytes) -> None:
    folder = room.shelf.place(kind.value)
    folder.mkdir(parents=True)
    (folder / "weights.bin").write_bytes(content)


def found(room: ModelRoom, kind: Kind) -> Finding:
    (finding,) = model(kind, room)
    return finding


def test_there_is_one_check_for_each_kind_in_use(room: ModelRoom) -> None:
    assert [check.topic for check in model_checks(room)] == [kind.value for kind in Kind if kind is not Kind.EMBEDDER]


def test_a_model_that_is_there_is_proved(room: ModelRoom) -> None:
    put(room, Kind.VOICE, b"good")
    assert found(room, Kind.VOICE).state is State.OK


def test_without_a_recogniser_nothing_works_without_the_others_something_does(room: ModelRoom) -> None:
    assert found(room, Kind.RECOGNISER).state is State.BAD
    for kind in (Kind.LANGUAGE_MODEL, Kind.VOICE, Kind.TURN_JUDGE):
        finding = found(room, kind)
        assert finding.state is State.WARN
        assert f"companion models pull {kind.value}" in finding.mend


def test_a_language_no_recogniser_knows_keeps_it_from_working(room: ModelRoom) -> None:
    abroad = ModelRoom(Settings(general=General(language="eo")), room.paths, room.shelf, room.machine)
    assert found(abroad, Kind.RECOGNISER).state is State.BAD
    assert found(abroad, Kind.VOICE).state is State.WARN


@pytest.mark.parametrize("content", [b"evil", b"go", b""])
def test_wrong_bytes_are_found(room: ModelRoom, content: bytes) -> None:
    put(room, Kind.RECOGNISER, content)
    finding = found(room, Kind.RECOGNISER)
    assert finding.state is State.BAD
    assert "weights.bin" in finding.message


def test_a_pull_left_unfinished_is_told(room: ModelRoom) -> None:
    put(room, Kind.VOICE, b"good")
    room.shelf.workplace("voice").mkdir(parents=True)
    assert [finding.state for finding in model(Kind.VOICE, room)] == [State.OK]
    (room.shelf.workplace("voice") / "weights.bin.part").write_bytes(b"go")
    states = [finding.state for finding in model(Kind.VOICE, room)]
    assert states == [State.OK, State.WARN]


def test_settings_that_name_no_model_are_told_with_the_field(room: ModelRoom) -> None:
    settings = Settings(models=Models(recogniser="voice"))
    finding = found(ModelRoom(settings, room.paths, room.shelf, room.machine), Kind.RECOGNISER)
    assert finding.state is State.BAD
    assert "models.recogniser" in finding.message
    assert "recogniser" in finding.mend
