"""Choosing: what fits the machine and the language, told in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.paths import bundled
from companion.catalog.choose import Choice, choose, starter_set
from companion.catalog.machine import Machine, this_machine
from companion.catalog.manifest import Kind, load_manifests
from companion.errors import ModelMissing

MANIFESTS = load_manifests(bundled("models"))

PC = Machine(memory_mb=7800, cores=8, is_pi=False)
SMALL_PC = Machine(memory_mb=7800, cores=2, is_pi=False)
PI = Machine(memory_mb=3790, cores=4, is_pi=True)
TINY = Machine(memory_mb=500, cores=1, is_pi=False)


def chosen(kind: Kind, language: str, machine: Machine, *on_shelf: str) -> Choice:
    return choose(kind, language, machine, MANIFESTS, on_shelf)


@pytest.mark.parametrize(
    ("machine", "language", "recogniser"),
    [
        (PC, "en", "whisper-base"),
        (PI, "en", "whisper-tiny.en"),
        (PI, "en-GB", "whisper-tiny.en"),
        (PI, "de", "whisper-base"),
        (PI, "auto", "whisper-base"),
    ],
)
def test_the_starter_set(machine: Machine, language: str, recogniser: str) -> None:
    starters = starter_set(machine, language)
    assert starters == (recogniser, "piper-en_US-joe-medium", "smollm2-135m", "smart-turn-v3.2")
    assert {MANIFESTS[name].kind for name in starters} == set(Kind) - {Kind.EMBEDDER}


@pytest.mark.parametrize(
    ("kind", "language", "machine", "name"),
    [
        (Kind.RECOGNISER, "en", SMALL_PC, "whisper-base"),
        (Kind.RECOGNISER, "en", PC, "whisper-small"),
        (Kind.RECOGNISER, "en", PI, "whisper-tiny.en"),
        (Kind.RECOGNISER, "de", PI, "whisper-base"),
        (Kind.RECOGNISER, "auto", PI, "whisper-base"),
        (Kind.RECOGNISER, "de", TINY, "whisper-base"),
        (Kind.LANGUAGE_MODEL, "en", PC, "qwen3-4b"),
        (Kind.LANGUAGE_MODEL, "en", SMALL_PC, "qwen2.5-1.5b"),
        (Kind.LANGUAGE_MODEL, "zh-CN", PI, "qwen3-0.6b"),
        (Kind.LANGUAGE_MODEL, "en", TINY, "smollm2-135m"),
        (Kind.VOICE, "en_US", PI, "piper-en_US-joe-medium"),
        (Kind.VOICE, "auto", PI, "piper-en_US-joe-medium"),
        (Kind.TURN_JUDGE, "en", PI, "smart-turn-v3.2"),
        (Kind.EMBEDDER, "en", PI, "wordllama-256"),
    ],
)
def test_with_an_empty_shelf_the_best_that_fits_is_chosen(
    kind: Kind, language: str, machine: Machine, name: str
) -> None:
    choice = chosen(kind, language, machine)
    assert choice.manifest.name == name
    assert choice.better is None


def test_a_choice_explains_itself() -> None:
    assert chosen(Kind.RECOGNISER, "en", SMALL_PC).why == "whisper-base: fits 8 GB and hears 99 languages"
    assert chosen(Kind.VOICE, "en", PI).why == "piper-en_US-joe-medium: fits 4 GB and speaks English"
    assert "slow on this machine" in chosen(Kind.RECOGNISER, "de", TINY).why


def test_what_is_on_the_shelf_beats_what_is_not_and_the_better_one_is_told() -> None:
    choice = chosen(Kind.LANGUAGE_MODEL, "en", PC, "smollm2-135m", "whisper-base")
    assert choice.manifest.name == "smollm2-135m"
    assert choice.better == MANIFESTS["qwen3-4b"]
    assert choice.why == (
        "smollm2-135m is on the shelf; qwen3-4b fits this machine better: companion models pull qwen3-4b"
    )


def test_the_best_on_the_shelf_is_taken() -> None:
    choice = chosen(Kind.LANGUAGE_MODEL, "en", SMALL_PC, "smollm2-135m", "qwen3-0.6b", "qwen3-4b")
    assert choice.manifest.name == "qwen3-0.6b"


def test_a_model_that_is_too_large_but_alone_is_still_used() -> None:
    choice = chosen(Kind.LANGUAGE_MODEL, "en", TINY, "qwen3-4b")
    assert choice.manifest.name == "qwen3-4b"
    assert "slow on this machine" in choice.why


def test_a_language_model_without_the_language_is_used_and_the_right_one_told() -> None:
    choice = chosen(Kind.LANGUAGE_MODEL, "de", PI, "smollm2-135m")
    assert choice.manifest.name == "smollm2-135m"
    assert choice.why == (
        "smollm2-135m is on the shelf but does not know German; qwen3-0.6b does: companion models pull qwen3-0.6b"
    )


def test_a_recogniser_that_does_not_know_the_language_is_never_used() -> None:
    choice = chosen(Kind.RECOGNISER, "de", PI, "whisper-tiny.en")
    assert choice.manifest.name == "whisper-base"


def test_a_language_nobody_speaks_is_told_with_a_way_out() -> None:
    with pytest.raises(ModelMissing, match="no voice in the catalogue knows cy") as caught:
        chosen(Kind.VOICE, "cy", PC)
    assert "espeak-ng" in caught.value.mend


def test_this_machine_is_seen() -> None:
    machine = this_machine()
    assert machine.memory_mb > 100
    assert machine.cores >= 1
    assert machine.memory_gb >= 1


def made(root: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(content)
    return root


def test_a_limit_of_the_control_group_counts_and_so_do_those_around_it(tmp_path: Path) -> None:
    root = made(
        tmp_path,
        {
            "proc/self/cgroup": "0::/box/inner\n",
            "sys/fs/cgroup/box/inner/memory.max": "max\n",
            "sys/fs/cgroup/box/memory.max": f"{300 << 20}\n",
            "sys/fs/cgroup/box/cpu.max": "100000 100000\n",
        },
    )
    machine = this_machine(root)
    assert machine.memory_mb == 300
    assert machine.cores == 1


def test_the_older_control_groups_are_read_too(tmp_path: Path) -> None:
    root = made(
        tmp_path,
        {
            "proc/self/cgroup": "4:memory:/box\n3:cpu,cpuacct:/box\n",
            "sys/fs/cgroup/memory/box/memory.limit_in_bytes": f"{200 << 20}\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us": "50000\n",
            "sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us": "100000\n",
        },
    )
    machine = this_machine(root)
    assert machine.memory_mb == 200
    assert machine.cores == 1


def test_no_limit_is_no_limit(tmp_path: Path) -> None:
    free = this_machine(tmp_path)
    root = made(tmp_path, {"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"})
    assert this_machine(root) == free


def test_a_pi_is_known_by_its_device_tree(tmp_path: Path) -> None:
    root = made(tmp_path, {"proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0"})
    assert this_machine(root).is_pi
    assert not this_machine(tmp_path / "elsewhere").is_pi
