from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from companion.agent.clock import day_in_words, local_clock, local_zone


def test_the_zone_of_the_environment_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Shanghai")

    assert local_zone() == ZoneInfo("Asia/Shanghai")
    assert local_clock()().utcoffset() == datetime.now(ZoneInfo("Asia/Shanghai")).utcoffset()


@pytest.mark.parametrize("name", ["Nowhere/City", "../../etc/passwd", "CET-1CEST,M3.5.0,M10.5.0/3"])
def test_a_zone_nobody_knows_falls_back_to_the_offset(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("TZ", name)

    assert local_zone() is None
    assert local_clock()().tzinfo is not None


def test_a_system_without_a_zone_file_is_no_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TZ", raising=False)
    assert local_zone(tmp_path / "none") is None

    (tmp_path / "broken").write_bytes(b"no zone")
    assert local_zone(tmp_path / "broken") is None


def test_the_day_is_told_with_its_part() -> None:
    day = datetime(2026, 11, 30, 14, 20, tzinfo=UTC)

    assert day_in_words(day) == "Monday, November 30, 2026, in the afternoon"
    parts = [day_in_words(day.replace(hour=hour)).split(", ")[-1] for hour in (0, 5, 12, 18, 23)]
    assert parts == ["at night", "in the morning", "in the afternoon", "in the evening", "in the evening"]
