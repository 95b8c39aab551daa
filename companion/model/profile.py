"""What a loaded model costs and how fast it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelReport:
    """One local model as it stands."""

    name: str
    loaded: bool
    load_seconds: float = 0.0
    memory_bytes: int = 0
    """Growth of the resident set while loading; 0 when not loaded."""
    speed: float = 0.0
    """``speed_unit`` of the last job."""
    speed_unit: str = ""
    """"tokens/s", or "x real time" for sound."""
