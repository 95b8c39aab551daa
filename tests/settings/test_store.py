"""Settings survive faults, crashes and full disks, and keep what a person wrote."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis import strategies as some

from companion.errors import SettingsError, StorageError
from companion.settings.schema import Settings
from companion.settings.store import SettingsStore, read


@pytest.fixture
def store(tmp_path: Path) -> SettingsStore:
    return SettingsStore(tmp_path / "settings.toml")


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_first_run_writes_a_file_that_explains_every_setting(store: SettingsStore) -> None:
    loaded = store.load()

    assert loaded.settings == Settings()
    assert loaded.problems == ()
    text = store.file.read_text()
    assert '# Language you speak: a tag as "en" or "zh"' in text
    assert '# word = "okay_nabu"' in text
    assert "one of okay_nabu, hey_jarvis" in text
    assert store.load().settings == Settings()


def test_every_default_in_the_first_file_is_the_default_when_taken_out_of_its_comment(store: SettingsStore) -> None:
    store.load()
    lines = store.file.read_text().splitlines()
    head = next(index for index, line in enumerate(lines) if line.startswith("["))
    shown = [line.removeprefix("# ") if " = " in line else line for line in lines[head:]]
    assert read("\n".join(shown), "all.toml") == Settings()


def test_a_change_keeps_comments_order_and_the_rest(store: SettingsStore) -> None:
    store.file.write_text('# mine\n[sound]\nvolume = 0.5   # loud enough\n\n[wake]\nword = "alexa"\n')
    store.set("sound.volume", "0.25")
    assert store.file.read_text() == '# mine\n[sound]\nvolume = 0.25   # loud enough\n\n[wake]\nword = "alexa"\n'


def test_a_setting_at_its_default_is_written_below_its_comment(store: SettingsStore) -> None:
    store.load()
    before = store.file.read_text().splitlines()
    assert store.set("wake.word", "alexa") == "alexa"
    after = store.file.read_text().splitlines()
    (number,) = [index for index, line in enumerate(after) if line == 'word = "alexa"']
    assert after[number - 1] == '# word = "okay_nabu"'
    assert after[:number] + after[number + 1 :] == before
    assert store.get("wake.word") == "alexa"


def test_a_setting_of_a_table_that_is_not_there_is_added(store: SettingsStore) -> None:
    store.file.write_text("")
    store.set("turn.longest", "12")
    assert read(store.file.read_text(), "x").turn.longest == 12


def test_a_setting_is_added_to_a_table_without_comments(store: SettingsStore) -> None:
    store.file.write_text("[sound]\nvolume = 0.5\n[wake]\n")
    store.set("sound.chimes", "no")
    held = read(store.file.read_text(), "x")
    assert held.sound.chimes is False
    assert held.sound.volume == 0.5


@pytest.mark.parametrize(
    ("text", "line", "field", "told"),
    [
        ("[sound]\n\nvolume = 7\n", 3, "sound.volume", "from 0 to 1"),
        ('sound.volume = "loud"\n', 1, "sound.volume", "from 0 to 1"),
        ('[sound]\nvolume = "0.5"\n', 2, "sound.volume", "from 0 to 1"),
        ('[wake]\n# word = "okay_nabu"\nword = "bob"\n', 3, "wake.word", "okay_nabu, hey_jarvis"),
        ("[sound]\nvolum = 0.5\n", 2, "sound.volum", "Did you mean sound.volume?"),
        ("[sonud]\nvolume = 0.5\n", 1, "sonud", "companion settings list"),
        ("volume = 0.5\n", 1, "volume", "Did you mean sound.volume?"),
        ("sound = 3\n", 1, "sound", "[sound]"),
        ('[general]\nname = """\nlanguage = 1\n"""\nlanguage = 2\n', 5, "general.language", "a tag as"),
        ('[general]\nlanguage = "English, please"\n', 2, "general.language", "a tag as"),
        ("[models]\nthreads = 1.5\n", 2, "models.threads", "a whole number"),
        ("[models]\nthreads = true\n", 2, "models.threads", "a whole number"),
        ("[sound]\nvolume = nan\n", 2, "sound.volume", "from 0 to 1"),
        ("version = 99\n", 1, "version", "Update companion"),
        ('version = "one"\n', 1, "version", "remove the line"),
        ("[sound]\nvolume = \n", 2, "", "Mend line 2"),
        ("[sound\n", 1, "", "Mend line 1"),
    ],
)
def test_a_fault_names_line_field_and_mend(store: SettingsStore, text: str, line: int, field: str, told: str) -> None:
    store.file.write_text(text)
    with pytest.raises(SettingsError) as fault:
        store.check()

    assert fault.value.line == line
    assert fault.value.field == field
    assert told in fault.value.mend
    assert str(store.file) in str(fault.value)
    assert "\n" not in str(fault.value) + fault.value.mend


def test_a_table_twice_is_a_fault(store: SettingsStore) -> None:
    store.file.write_text("[sound]\n[sound]\n")
    with pytest.raises(SettingsError):
        store.check()


def test_a_file_that_is_no_text_names_the_line(store: SettingsStore) -> None:
    store.file.write_bytes(b"[sound]\nvolume = \xff\n")
    with pytest.raises(SettingsError, match="line 2"):
        store.check()


def test_a_broken_file_gives_way_to_the_last_good_one_and_is_kept(store: SettingsStore) -> None:
    good = '# mine\n[wake]\nword = "alexa"\n'
    store.file.write_text(good)
    store.load()
    store.file.write_text("[wake]\nword = alexa\n")

    loaded = store.load()

    assert loaded.settings.wake.word == "alexa"
    assert store.file.read_text() == good
    kept = store.file.with_name("settings.broken-1.toml")
    assert kept.read_text() == "[wake]\nword = alexa\n"
    (problem,) = loaded.problems
    assert "line 2" in str(problem)
    assert "settings.broken-1.toml" in str(problem)
    assert "settings.broken-1.toml" in problem.mend


def test_nobody_waits_for_a_pipe_in_the_place_of_the_file(store: SettingsStore) -> None:
    os.mkfifo(store.file)

    with pytest.raises(SettingsError, match="it is no file"):
        store.check()


def test_every_broken_file_is_kept_under_a_number_of_its_own(store: SettingsStore) -> None:
    for text in ("a", "b"):
        store.file.write_text(text)
        assert store.load().problems
    assert store.file.with_name("settings.broken-1.toml").read_text() == "a"
    assert store.file.with_name("settings.broken-2.toml").read_text() == "b"
    assert store.load().problems == ()


def test_without_a_last_good_file_the_defaults_are_used(store: SettingsStore) -> None:
    store.file.write_bytes(b"\xff\x00")
    loaded = store.load()
    assert loaded.settings == Settings()
    assert "defaults" in str(loaded.problems[0])


def test_a_broken_last_good_file_is_no_trap(store: SettingsStore) -> None:
    store.file.write_text("broken")
    store.last_good.write_text("broken too")
    assert store.load().settings == Settings()


def test_a_refused_value_changes_nothing(store: SettingsStore) -> None:
    store.load()
    before = store.file.read_bytes()
    for name, value in (("sound.volume", "11"), ("wake.word", "bob"), ("sound.volum", "1"), ("sound", "1")):
        with pytest.raises(SettingsError) as fault:
            store.set(name, value)
        assert fault.value.mend
    assert store.file.read_bytes() == before


def test_a_broken_file_is_not_changed_by_setting(store: SettingsStore) -> None:
    store.file.write_text("[sound]\nvolume = 9\n")
    with pytest.raises(SettingsError):
        store.set("wake.word", "alexa")
    assert store.file.read_text() == "[sound]\nvolume = 9\n"


def full(*_: object) -> NoReturn:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_leaves_the_old_settings_whole(store: SettingsStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.load()
    before, names = store.file.read_bytes(), names_in(store.file.parent)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match="No space left") as fault:
        store.set("sound.volume", "0.1")

    assert fault.value.mend
    assert store.file.read_bytes() == before
    assert names_in(store.file.parent) == names


def test_a_full_disk_does_not_keep_it_from_starting(store: SettingsStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", full)
    first = store.load()
    assert first.settings == Settings()
    assert isinstance(first.problems[0], StorageError)

    store.file.write_text("[sound]\nvolume = 0.5\n")
    second = store.load()
    assert second.settings.sound.volume == 0.5
    assert isinstance(second.problems[0], StorageError)

    store.file.write_text("broken")
    third = store.load()
    assert third.settings == Settings()
    assert isinstance(third.problems[0], SettingsError)


class Killed(BaseException):
    """The process is gone: nothing after it runs."""


@pytest.mark.parametrize("moment", ["before the flush", "before the move"])
def test_killed_in_the_middle_the_old_settings_stay(
    store: SettingsStore, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    store.load()
    before = store.file.read_bytes()

    def die(*_: object) -> NoReturn:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", die) if moment == "before the flush" else patch.setattr(Path, "replace", die)
        patch.setattr(Path, "unlink", lambda *_, **__: None)  # a killed process does not tidy up
        with pytest.raises(Killed):
            store.set("sound.volume", "0.1")
    assert store.file.read_bytes() == before

    store.set("sound.volume", "0.2")
    assert store.get("sound.volume") == 0.2
    assert not [name for name in names_in(store.file.parent) if name.endswith(".new")]


def test_a_process_that_holds_the_settings_for_ever_is_told_of(
    store: SettingsStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.settings.store.PATIENCE", 0.0)
    store.load()
    before = store.file.read_bytes()
    holder = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    try:
        with pytest.raises(StorageError, match="being changed by another process"):
            store.set("sound.volume", "0.25")
        assert store.file.read_bytes() == before
    finally:
        os.close(holder)
    assert store.set("sound.volume", "0.25") == 0.25


def test_a_linked_settings_file_stays_a_link(store: SettingsStore, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text("[sound]\n")
    real.chmod(0o640)
    store.file.symlink_to(real)
    store.set("sound.volume", "0.5")
    assert store.file.is_symlink()
    assert "volume = 0.5" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640


VALUES = some.fixed_dictionaries(
    {},
    optional={
        "general.name": some.text(max_size=40).filter(lambda text: text.isprintable()),
        "sound.volume": some.floats(0, 1),
        "sound.chimes": some.booleans(),
        "sound.gain": some.floats(-20, 40),
        "wake.word": some.sampled_from(["okay_nabu", "hey_jarvis", "hey_mycroft", "alexa"]),
        "models.threads": some.integers(0, 64),
        "turn.longest": some.floats(0, 3600),
    },
)


@effort(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(VALUES, some.booleans())
def test_whatever_is_set_reads_back(tmp_path: Path, values: dict[str, object], commented: bool) -> None:
    store = SettingsStore(tmp_path / "settings.toml")
    if commented:
        store.file.unlink(missing_ok=True)
        store.load()
    else:
        store.file.write_text("# mine\n[sound] # with a comment\n[wake]\n")
    comments = [line for line in store.file.read_text().splitlines() if line.startswith("#")]
    for name, value in values.items():
        store.set(name, str(value))

    held = store.check()
    for name, value in values.items():
        section, key = name.split(".")
        assert getattr(getattr(held, section), key) == value
    assert store.load().settings == held
    assert [line for line in store.file.read_text().splitlines() if line.startswith("#")] == comments


def test_a_mark_before_the_text_is_no_fault(store: SettingsStore) -> None:
    store.file.write_bytes(b"\xef\xbb\xbf[sound]\nvolume = 0.5\n")
    assert store.load().settings.sound.volume == 0.5


def test_a_link_to_itself_is_told_and_does_not_keep_it_from_starting(store: SettingsStore) -> None:
    store.file.symlink_to(store.file)
    loaded = store.load()
    assert loaded.settings == Settings()
    assert loaded.problems
    with pytest.raises(StorageError, match=str(store.file)):
        store.set("sound.volume", "0.5")


def test_setting_tells_what_is_wrong_with_the_file_as_reading_does(store: SettingsStore, tmp_path: Path) -> None:
    store.file.write_bytes(b"# \xff\n")
    with pytest.raises(SettingsError, match="line 1: this is no UTF-8 text"):
        store.set("sound.volume", "0.5")
    with pytest.raises(StorageError, match="cannot be changed"):
        SettingsStore(store.file / "settings.toml").set("sound.volume", "0.5")
    with pytest.raises(SettingsError, match=r"general\.name cannot be"):
        SettingsStore(tmp_path / "new.toml").set("general.name", "half a \udcff character")


def test_a_setting_that_is_reset_leaves_the_file_and_its_comment_stays(store: SettingsStore) -> None:
    store.load()
    before = store.file.read_text()
    store.set("sound.volume", "0.25")
    assert store.holds("sound.volume")
    assert store.reset("sound.volume") == 0.8
    assert not store.holds("sound.volume")
    assert store.file.read_text() == before
    assert store.get("sound.volume") == 0.8


def test_a_setting_that_is_reset_takes_nothing_else_along(store: SettingsStore) -> None:
    store.file.write_text('# mine\n[sound]\nvolume = 0.5   # loud enough\ngain = 3.0\n\n[wake]\nword = "alexa"\n')
    store.reset("sound.volume")
    store.reset("sound.chimes")
    assert store.file.read_text() == '# mine\n[sound]\ngain = 3.0\n\n[wake]\nword = "alexa"\n'


def test_nothing_is_held_where_there_is_no_file(store: SettingsStore) -> None:
    assert not store.holds("sound.volume")
    with pytest.raises(SettingsError):
        store.holds("sound.loudness")


def test_what_must_go_on_with_a_broken_file_goes_by_the_last_good_settings(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path / "settings.toml")
    assert store.usable() == Settings()
    store.load()
    store.set("general.name", "Ann")
    store.load()
    store.file.write_text("[general")
    assert store.usable().general.name == "Ann"
    assert store.file.read_text() == "[general", "and nothing is written"


def test_a_value_as_long_as_a_book_is_refused_and_told_shortly(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path / "settings.toml")
    with pytest.raises(SettingsError) as fault:
        store.set("general.name", "x" * 1_000_000)
    assert len(str(fault.value)) < 200
    assert not store.file.exists()
