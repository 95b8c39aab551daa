"""Nothing that was said, and no name of a person or a place of theirs, comes through; what helps does."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from companion.app.diagnostics.scrub import GONE, Scrub
from companion.app.log import private, start_log, stop_log
from companion.errors import ModelMissing, StorageError

logger = logging.getLogger("companion.test")
SECRETS = (
    *("Emma", "emma", "banana", "letter to Bob", "hunter22", "192.168.7.12", "emma@example.org", "workshop-pc"),
    *("sk-proj4abcdefghij5klmnop", "e0:d5:5e:12:34:56", "fe80::1ff:fe23:4567:890a", "example.org"),
    *(
        "小明",
        "秘密",
        "qwertzuiopasdfghjklyxcvbnmqwertz",
        "fritz",
        "nas",
        "printer",
        "1234567",
        "555-0123",
        "0123 4567",
    ),
    *("138 0013 8000", "13800138000"),
)


@pytest.fixture
def scrub() -> Scrub:
    return Scrub(["Emma", "workshop-pc", "小明", ""])


@pytest.mark.parametrize(
    "line",
    [
        "cannot reach emma@example.org",
        "the server 192.168.7.12 refused the key sk-proj4abcdefghij5klmnop",
        "there is no file 'letter to Bob'",
        "I can't hear the microphone 'Emma's banana', nor 'hunter22'",
        'a note named "letter to Bob" is there already',
        "/home/Emma/letter to Bob.pdf cannot be read",
        "~/Documents/letter to Bob.pdf: no text",
        r"C:\Home\emma\letter to Bob.pdf cannot be read",
        "asked https://example.org/emma?key=hunter22 in vain",
        "the microphone of workshop-pc is gone, EMMA",
        "device e0:d5:5e:12:34:56 at fe80::1ff:fe23:4567:890a",
        "我叫小明了",
        "我叫Emma了",
        "请打开https://example.org/emma看看",
        "机器192.168.7.12没有回答",
        "文件/home/Emma/秘密在哪里",
        "他说'秘密'了",
        "the key qwertzuiopasdfghjklyxcvbnmqwertz was refused",
        "密钥qwertzuiopasdfghjklyxcvbnmqwertz不对",
        "call +49 30 1234567 back",
        "no contact has the number 0170/1234567",
        "no contact has the number (030) 1234567",
        "no contact has the number (212) 555-0123",
        "请打138 0013 8000找他",
        "请打13800138000找他",
        "请打010-12345678找他",
        "nothing answers at fritz.box",
        "nothing answers at printer.fritz.box.",
        "cannot connect to host nas:8123",
        "cannot connect to printer.local or nas.home.arpa",
    ],
)
def test_what_belongs_to_the_user_is_taken_out_of_a_line(scrub: Scrub, line: str) -> None:
    cleaned = scrub.line(line)

    assert GONE in cleaned
    assert not [secret for secret in SECRETS if secret.lower() in cleaned.lower()]


@pytest.mark.parametrize(
    "line",
    [
        "whisper-base is loaded (1.2 s)",
        "closing took longer than 2.0 s; leaving what hangs",
        "the clock jumped by 3600 seconds; running timers are moved with it",
        "no answer within 30 s and 12/50 turns",
        "the model of 2026-11-30 has 482344960 bytes and took 0.1234567 s",
        "companion/app/face.py:123 was slow at 12:34:56",
        "模型用了30秒",
    ],
)
def test_the_program_s_own_words_stay(scrub: Scrub, line: str) -> None:
    assert scrub.line(line) == line


def test_a_real_log_keeps_when_and_where_and_loses_what_was_said(tmp_path: Path, scrub: Scrub) -> None:
    start_log(tmp_path / "companion.log", private_text=True)
    try:
        logger.info("the models are there")
        private(logger, "heard: %s", "Emma likes\nbanana bread\n2026-11-30 12:00:00,000 INFO    x: hunter22")
        for failure in (StorageError("/home/Emma/x y is full", file=""), ValueError("banana\nhunter22")):
            try:
                raise failure
            except (StorageError, ValueError) as error:
                logger.exception("something failed at %s", type(error).__name__)
        logger.warning("a reply\nbanana hunter22")
        logger.info("the end")
    finally:
        stop_log()

    cleaned = scrub.log((tmp_path / "companion.log").read_text())

    assert not [secret for secret in SECRETS if secret in cleaned]
    for kept in ("the models are there", "ValueError: ", "StorageError: ", "in test_a_real_log", "the end"):
        assert kept in cleaned
    assert "test_scrub.py" not in cleaned, "the place of a file that is not of the program is the user's own"


def test_a_traceback_through_the_program_tells_which_line_it_was(scrub: Scrub) -> None:
    text = (
        "2026-11-30 14:20:00,123 ERROR   companion.app.face: the engine failed\n"
        "Traceback (most recent call last):\n"
        '  File "/home/Emma/src/companion/app/face.py", line 12, in run\n'
        "    await self._tenant.run()\n"
        "    ~~~~~~~~~~~^^^\n"
        '  File "/usr/lib/python3.11/asyncio/tasks.py", line 3, in wait\n'
        "    raise it\n"
        "companion.errors.ModelMissing: 'banana' is not on the shelf\n"
    )
    cleaned = scrub.log(text)

    assert 'File "companion/app/face.py", line 12, in run' in cleaned
    assert 'File "asyncio/tasks.py", line 3' in cleaned
    assert "await self._tenant.run()" in cleaned
    assert f"{ModelMissing.__name__}: {GONE} is not on the shelf" in cleaned


def test_what_looks_like_a_place_in_a_program_lets_nothing_through_outside_a_traceback(scrub: Scrub) -> None:
    pasted = '  File "x", line 1, in hunter22\n    banana = "hunter22"\n'
    text = (
        "2026-11-30 14:20:00,123 WARNING companion.app.face: it said\n"
        f"{pasted}"
        "2026-11-30 14:20:01,123 ERROR   companion.app.face: the engine failed\n"
        "Traceback (most recent call last):\n"
        '  File "/home/Emma/src/companion/app/face.py", line 12, in run\n'
        "    await self._tenant.run(\n"
        "        banana,\n"
        "    )\n"
        '  File "/home/Emma/src/companion/app/engine.py", line 3, in wait\n'
        "    raise it\n"
        f"ValueError: in\n{pasted}"
    )
    cleaned = scrub.log(text)

    assert "banana" not in cleaned
    assert "hunter22" not in cleaned
    assert "await self._tenant.run(" in cleaned
    assert "raise it" in cleaned, "a statement of many lines does not end the traceback"


def test_the_text_that_could_not_be_read_as_a_program_is_none_of_its_lines(scrub: Scrub) -> None:
    text = (
        "2026-11-30 14:20:01,123 ERROR   companion.app.face: the engine failed\n"
        "Traceback (most recent call last):\n"
        '  File "<unknown>", line 1\n'
        "    banana hunter22\n"
        "           ^^^^^^^^\n"
        "SyntaxError: invalid syntax\n"
    )

    assert "banana" not in scrub.log(text)


def test_private_records_of_older_logs_and_half_records_go_too(scrub: Scrub) -> None:
    text = (
        "rest of a banana record\n"
        "2026-11-30 14:20:00,123 INFO    companion.app.companion: heard: banana\n"
        "and hunter22\n"
        "2026-11-30 14:20:01,123 INFO    companion.app.companion: fine\n"
    )

    assert scrub.log(text) == "2026-11-30 14:20:01,123 INFO    companion.app.companion: fine"


def test_an_error_of_ours_is_cleaned_as_any_line(scrub: Scrub) -> None:
    error = ModelMissing("the voice 'Emma' is not on the shelf")

    assert scrub.line(str(error)) == f"the voice {GONE} is not on the shelf"
