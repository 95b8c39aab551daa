"""How a bench's figures are shown."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence

from companion import __version__
from companion.app.bench.figures import Section


def as_lines(section: Section) -> list[str]:
    """One section, for people."""
    return [section.title, *(f"  {name}: {figure}" for name, figure in section.figures.items()), ""]


def as_document(sections: Sequence[Section]) -> dict[str, object]:
    """For scripts: the machine, then each section's figures."""
    return {
        "companion": __version__,
        "machine": {
            "cores": os.cpu_count(),
            "processor": _processor(),
            "system": platform.platform(),
            "python": platform.python_version(),
            "load": [round(load, 2) for load in os.getloadavg()] if hasattr(os, "getloadavg") else [],
        },
        "figures": {section.title: section.as_json() for section in sections},
    }


def _processor() -> str:
    """Its name where Linux tells it, else its kind."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:  # noqa: PTH123 - no file of ours
            names = [line.partition(":")[2].strip() for line in cpuinfo if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.machine()
