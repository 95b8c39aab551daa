"""What this machine can carry: memory and cores as this process may use them."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine, as far as the choice of models cares."""

    memory_mb: int
    """Memory this process may use, in units of 1024 * 1024 bytes."""
    cores: int
    is_pi: bool

    @property
    def memory_gb(self) -> int:
        """As printed on the box: what the system keeps for itself is added by rounding."""
        return max(1, round(self.memory_mb / 1024))

    @property
    def pc_cores(self) -> int:
        """Cores of a PC that do the same work. The four of a Raspberry Pi do about that of one."""
        return max(1, self.cores // 4) if self.is_pi else self.cores


def this_machine(root: Path = Path("/")) -> Machine:
    """Look at this machine; ``root`` is where ``proc`` and ``sys`` are found."""
    import psutil

    memory = min([psutil.virtual_memory().total, *_cgroup_memory(root)])
    return Machine(memory_mb=memory >> 20, cores=_cores(root), is_pi=_is_pi(root))


def _cores(root: Path) -> int:
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([allowed, *_cgroup_cores(root)]))


def _is_pi(root: Path) -> bool:
    return "Raspberry Pi" in _read(root / "proc/device-tree/model")


def _cgroup_memory(root: Path) -> Iterator[int]:
    """Every limit that holds for this process: its own group's and those of the groups around it."""
    for folder in _cgroup_folders(root):
        for name in ("memory.max", "memory.limit_in_bytes"):
            limit = _read(folder / name)
            # No limit is "max" in version 2, and a number beyond all memory in version 1.
            if limit.isdecimal() and int(limit) > 0:
                yield int(limit)


def _cgroup_cores(root: Path) -> Iterator[int]:
    for folder in _cgroup_folders(root):
        fields = _read(folder / "cpu.max").split() or [
            _read(folder / "cpu.cfs_quota_us"),
            _read(folder / "cpu.cfs_period_us"),
        ]
        if len(fields) == 2 and fields[0].isdecimal() and fields[1].isdecimal() and int(fields[1]):
            yield max(1, math.ceil(int(fields[0]) / int(fields[1])))


def _cgroup_folders(root: Path) -> Iterator[Path]:
    """The control group folders of this process, each with those around it; of both versions."""
    top = root / "sys/fs/cgroup"
    for line in _read(root / "proc/self/cgroup").splitlines():
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        base = top / controllers if controllers else top
        folder = base / path.strip("/")
        while folder.is_relative_to(base):
            yield folder
            folder = folder.parent


def _read(path: Path) -> str:
    """What a file of the system says; nothing, where there is none."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip().rstrip("\0")
    except OSError:
        return ""
