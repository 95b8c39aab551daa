"""Every command ends as a person or a script expects: an exit status, one line, no traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from doubles.checkout import TOP

from companion import __version__


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def companion(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        env={**os.environ, "COMPANION_HOME": str(home), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def one_line_of_error(done: subprocess.CompletedProcess[str]) -> str:
    assert "Traceback" not in done.stderr + done.stdout
    (line,) = done.stderr.splitlines()
    assert line.startswith("companion: ")
    return line


def test_the_version_is_told(home: Path) -> None:
    assert companion(home, "--version").stdout == f"companion {__version__}\n"


def test_help_names_every_command_and_the_exit_statuses(home: Path) -> None:
    told = companion(home, "--help")
    assert told.returncode == 0
    for word in ("talk", "ask", "say", "listen", "devices", "doctor", "bench", "models", "settings", "status", "mute"):
        assert f"  {word} " in told.stdout
    assert "Exit status: 0 done, 1 failed, 2 bad input" in told.stdout
    assert not home.exists()


def test_help_loads_nothing_heavy(home: Path) -> None:
    program = (
        "import sys; from companion.cli.main import run; run(['--help']);"
        "print([m for m in ('numpy', 'pydantic', 'asyncio', 'rich', 'onnxruntime', 'httpx', 'tomlkit')"
        " if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize(
    "arguments",
    [
        ["dance"],
        ["--loud"],
        ["mute", "loud"],
        ["mute", "off", "--minutes", "5"],
        ["mute", "--minutes", "0"],
        ["hush", "loud"],
        ["say"],
        ["ask", " "],
        ["listen", "--in", "missing.wav"],
        ["talk", "--in", "missing.wav", "--out", "a.wav"],
        ["listen", "--language", "English, please"],
        ["say", "hello", "-l", "?"],
        ["talk", "--out", "a.wav"],
        ["settings", "get", "sound.volum"],
        ["settings", "set", "sound.volume", "7"],
        ["settings", "set", "wake.word", "bob"],
        ["settings", "set", "general.language", "English, please"],
        ["settings", "dance"],
        ["models", "pull", "no-such-model"],
    ],
    ids=" ".join,
)
def test_bad_input_gets_one_line_and_status_2(home: Path, arguments: list[str]) -> None:
    done = companion(home, *arguments)
    assert done.returncode == 2
    assert one_line_of_error(done)
    assert done.stdout == ""


@pytest.mark.parametrize("command", ["listen", "talk"])
def test_a_model_cut_short_is_refused_before_anything_reads_it(home: Path, tmp_path: Path, command: str) -> None:
    model = home / "models" / "whisper-base"
    model.mkdir(parents=True)
    for name in ("model.bin", "config.json", "tokenizer.json", "vocabulary.txt"):
        (model / name).write_bytes(b"cut short")
    question = next((TOP / "tests" / "spoken" / "commands").glob("*.flac"))
    answer = tmp_path / "a.wav"

    done = companion(home, command, "--in", str(question), *(["--out", str(answer)] if command == "talk" else []))

    assert done.returncode == 2
    assert "wrong size" in one_line_of_error(done)
    assert not answer.exists()


@pytest.mark.parametrize("command", ["status", "mute", "hush", "talk", "release", "stop", "toggle", "shutdown"])
def test_orders_need_a_running_companion(home: Path, command: str) -> None:
    done = companion(home, command)
    assert done.returncode == 1
    assert "no companion is running here. Start one by `companion`." in one_line_of_error(done)


def test_settings_are_listed_read_and_changed(home: Path) -> None:
    assert companion(home, "settings", "set", "sound.volume", "0.5").returncode == 0
    assert companion(home, "settings", "get", "sound.volume").stdout == "0.5\n"
    held = json.loads(companion(home, "settings", "list", "--json").stdout)
    assert held["sound.volume"] == 0.5
    assert companion(home, "settings", "path").stdout == f"{home / 'settings.toml'}\n"
    assert "sound.volume = 0.5  (changed)" in companion(home, "settings", "list").stdout


def test_a_broken_settings_file_names_line_and_field(home: Path) -> None:
    home.mkdir()
    (home / "settings.toml").write_text("[sound]\nvolume = 9\n")
    done = companion(home, "settings", "list")
    assert done.returncode == 2
    assert "line 2: sound.volume is 9. Make it a number from 0 to 1." in one_line_of_error(done)


def test_colour_is_only_for_terminals_and_not_against_one_s_will(home: Path) -> None:
    assert "\x1b" not in companion(home, "settings", "list").stdout
    assert "\x1b" not in companion(home, "status").stderr


def test_a_reader_that_goes_away_is_no_event(home: Path) -> None:
    command = f"{sys.executable} -m companion settings list | head -1"
    done = subprocess.run(
        ["bash", "-c", command],
        env={**os.environ, "COMPANION_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


def test_letters_the_terminal_does_not_have_are_printed_as_escapes(home: Path) -> None:
    companion(home, "settings", "set", "general.name", "Zoë")
    told = companion(home, "settings", "get", "general.name", PYTHONIOENCODING="ascii")
    assert (told.returncode, told.stdout, told.stderr) == (0, "Zo\\xeb\n", "")
    assert (
        json.loads(companion(home, "settings", "get", "general.name", "--json", PYTHONIOENCODING="ascii").stdout)
        == "Zoë"
    )


@pytest.mark.parametrize("where", ["1>&-", "2>&-", "1>&- 2>&-", "2>/dev/full"])
def test_an_output_that_is_closed_or_full_is_no_event(home: Path, where: str) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m companion settings path {where}"],
        env={**os.environ, "COMPANION_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_home_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    done = companion(Path("~nobody-of-that-name"), "status")
    assert done.returncode == 2
    assert "COMPANION_HOME" in one_line_of_error(done)


def test_a_home_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    done = companion(blocked / "home", "ask", "what time is it")
    assert done.returncode == 1
    assert str(blocked) in one_line_of_error(done)


def test_a_fault_of_ours_is_one_line_and_a_log_with_the_rest(home: Path) -> None:
    program = (
        "import companion.cli.control as c, companion.cli.main as m\n"
        "def fail(*_): raise RuntimeError('a fault of ours')\n"
        "c.send = fail\n"
        "raise SystemExit(m.run(['status']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "COMPANION_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    line = one_line_of_error(done)
    assert "a fault of ours" in line
    log = home / "log" / "companion.log"
    assert str(log) in line
    assert "Traceback" in log.read_text()


def test_ctrl_c_is_quiet(home: Path) -> None:
    program = (
        "import signal, companion.cli.control as c, companion.cli.main as m\n"
        "c.send = lambda *_: signal.raise_signal(signal.SIGINT)\n"
        "raise SystemExit(m.run(['status']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "COMPANION_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr, done.stdout) == (130, "", "")
    assert signal.SIGINT


def test_a_new_machine_is_told_all_that_is_missing_and_how_to_bring_it(home: Path) -> None:
    done = companion(home)
    assert done.returncode == 1
    line = one_line_of_error(done)
    assert "there are no models yet" in line
    assert "companion models pull whisper-" in line
    assert "/media/stick" in line


def test_the_doctor_of_a_new_machine_finds_it_deaf(home: Path) -> None:
    done = companion(home, "doctor", "--json", "--without-sound")
    assert done.returncode == 1
    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert found["verdict"] == "bad"
    states = {finding["topic"]: finding["state"] for finding in found["findings"]}
    assert states["recogniser"] == "bad"
    assert states["voice"] == "warn"
    assert states["python"] == states["libraries"] == "ok"
    assert not home.exists()


def test_the_doctor_shows_a_bundle_before_it_is_saved_and_saves_it_only_on_a_yes(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "help.zip"

    asked = companion(home, "doctor", "--without-sound", "--bundle", str(file))
    assert asked.returncode == 2
    assert "say so with --yes" in one_line_of_error(asked)
    assert not file.exists()

    done = companion(home, "doctor", "--without-sound", "--bundle", str(file), "--yes")
    assert done.stderr == ""
    assert "\nsettings.txt\n  all as they were made\n" in done.stdout
    assert f"Saved as {file}." in done.stdout
    with zipfile.ZipFile(file) as bundle:
        about = bundle.read("companion/about.txt").decode()
    assert about.splitlines()[0] in done.stdout


def test_commands_are_answered_without_any_model(home: Path) -> None:
    assert companion(home, "ask", "what is six times seven").stdout == "That's 42.\n"
    asked = json.loads(companion(home, "ask", "--json", "what is six times seven").stdout)
    assert asked == {"text": "That's 42.", "source": "rule:maths"}
    assert "six" not in (home / "log" / "companion.log").read_text()


def test_broken_settings_do_not_keep_a_command_from_working(home: Path) -> None:
    home.mkdir()
    (home / "settings.toml").write_text("[sound]\nvolume = 9\n")
    done = companion(home, "ask", "what is six times seven")
    assert done.returncode == 0
    assert done.stdout == "That's 42.\n"
    assert "settings.broken-1.toml" in done.stderr
    assert (home / "settings.broken-1.toml").exists()


def test_a_second_companion_is_turned_away(home: Path) -> None:
    from companion.app.lock import Lock

    lock = Lock.take(home / "companion.lock")
    done = companion(home)
    assert done.returncode == 1
    assert f"process {os.getpid()}" in one_line_of_error(done)
    lock.release()


def test_what_only_a_running_companion_can_do_is_told(home: Path) -> None:
    timed = companion(home, "ask", "set a timer for ten minutes")
    assert timed.stdout == "Timer set for 10 minutes.\n"
    assert "no companion is running" in one_line_of_error(timed)
    turned = companion(home, "ask", "set the volume to 20 percent")
    assert "companion settings set sound.volume" in one_line_of_error(turned)
    assert companion(home, "ask", "what timers do I have").stderr == ""


def test_what_is_typed_in_another_script_is_answered_in_its_language(home: Path) -> None:
    assert companion(home, "ask", "三加四等于多少").stdout == "等于7。\n"
