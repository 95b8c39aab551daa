"""The models on their way, taken together: how much of all of them is there, and how long the rest takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.ui.state import Task, UiState

PULL = "models.pull"
"""Tasks of models that are brought begin so, and go on with the name of the model."""
NAME = "wizard.bringing"


def bringing(state: UiState, missing: Mapping[str, int]) -> Task | None:
    """All of them as one piece of work; None where none has been begun. missing: bytes by name."""
    tasks = {name: task for name in missing if (task := state.task(f"{PULL} {name}")) is not None}
    if not tasks:
        return None
    done = sum(_come(task, missing[name]) for name, task in tasks.items())
    total = float(sum(missing.values()))
    fault = next((task.fault for task in tasks.values() if task.fault is not None), None)
    is_over = len(tasks) == len(missing) and all(task.is_over for task in tasks.values())
    whole = Task(NAME, min(done, total), total, is_over=is_over, fault=fault if is_over else None)
    return replace(whole, seconds_left=None if is_over else _left(tasks, total - done))


def is_coming(state: UiState) -> bool:
    """Whether any model is on its way."""
    return any(task.name.startswith(f"{PULL} ") and not task.is_over for task in state.tasks)


def _come(task: Task, size: int) -> float:
    if task.is_over and task.fault is None:
        return float(size)
    return min(task.done, size)


def _left(tasks: Mapping[str, Task], bytes_left: float) -> float | None:
    """At the pace of the one that comes now."""
    for task in tasks.values():
        if not task.is_over and task.seconds_left and task.total > task.done:
            return bytes_left * task.seconds_left / (task.total - task.done)
    return None
