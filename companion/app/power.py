"""Whether the machine runs on mains, as Linux tells it."""

from __future__ import annotations

from pathlib import Path

_SUPPLIES = Path("/sys/class/power_supply")


def on_mains(supplies: Path = _SUPPLIES) -> bool:
    """Whether mains are on, or there is no battery, or nobody can tell. Under a millisecond."""
    batteries = mains = False
    for supply in _each(supplies):
        match _read(supply / "type"):
            case "Mains" | "USB" if _read(supply / "online") == "1":
                mains = True
            case "Battery" if _read(supply / "scope") != "Device":
                batteries = True
    return mains or not batteries


def _each(supplies: Path) -> list[Path]:
    try:
        return sorted(supplies.iterdir())
    except OSError:
        return []


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
