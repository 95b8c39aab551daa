"""The log tells what happened, not what was said."""

from __future__ import annotations

import logging
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app import log

logger = logging.getLogger("companion.tests")


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    log.stop_log()


def test_private_words_stay_out_even_of_a_debug_log(tmp_path: Path) -> None:
    file = tmp_path / "log" / "companion.log"
    log.start_log(file, level="debug")
    log.private(logger, "heard %s", "my secret")
    logger.debug("heard a turn of %d characters", 9)
    assert "secret" not in file.read_text()
    assert "9 characters" in file.read_text()


def test_private_words_are_kept_where_the_user_wants_them(tmp_path: Path) -> None:
    file = tmp_path / "companion.log"
    log.start_log(file, private_text=True)
    log.private(logger, "heard %s", "tea please")
    assert "tea please" in file.read_text()


def test_the_level_is_a_setting_and_the_last_one_counts(tmp_path: Path) -> None:
    file = tmp_path / "companion.log"
    log.start_log(file, level="debug")
    log.start_log(file, level="warning")
    logger.info("small talk")
    logger.warning("no microphone")
    assert file.read_text().count("\n") == 1


def test_only_the_owner_reads_the_log(tmp_path: Path) -> None:
    file = tmp_path / "companion.log"
    log.start_log(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_log_turns_over_before_it_fills_the_disk(tmp_path: Path) -> None:
    file = tmp_path / "companion.log"
    log.start_log(file, level="info")
    for _ in range(10):
        logger.info("x" * (log.MAX_BYTES // 2))
    files = list(tmp_path.iterdir())
    assert len(files) == log.KEPT_FILES + 1
    assert sum(f.stat().st_size for f in files) <= (log.KEPT_FILES + 1) * log.MAX_BYTES * 1.01


def test_a_log_on_a_full_disk_keeps_the_terminal_clean(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "companion.log"
    file.symlink_to("/dev/full")
    log.start_log(file)

    logger.error("what happened")

    assert capfd.readouterr() == ("", "")
