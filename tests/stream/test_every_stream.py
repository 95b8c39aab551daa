"""Every Stream, Transformer and Generator there is in the package keeps the laws."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator, Set
from pathlib import Path

import pytest
from doubles.checkout import program_files
from doubles.examinees import EXAMINATIONS, Places

STREAM = {"state", "next", "close", "close_with_error", "__aiter__"}


def classes() -> Iterator[type]:
    """Every class of the package that things are made of."""
    for path in program_files():
        name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        if path.stem == "__main__":
            continue
        for found in vars(importlib.import_module(name)).values():
            if inspect.isclass(found) and found.__module__ == name and not is_unfinished(found):
                yield found


def is_unfinished(kind: type) -> bool:
    """Whether it is a Protocol, or a base class that leaves something to those made of it."""
    return getattr(kind, "_is_protocol", False) or inspect.isabstract(kind)


def is_stream(kind: type) -> bool:
    return all(hasattr(kind, name) for name in STREAM)


def is_transformer(kind: type) -> bool:
    """Its ``transform`` takes a source and nothing else: a mux, which wants a name too, only has transformers."""
    transform = getattr(kind, "transform", None)
    return transform is not None and len(inspect.signature(transform).parameters) == 2


def is_generator(kind: type) -> bool:
    return hasattr(kind, "generate_stream")


def test_each_one_has_its_examination() -> None:
    found = {kind for kind in classes() if is_stream(kind) or is_transformer(kind) or is_generator(kind)}

    assert not names(found - EXAMINATIONS.keys()), "give it a maker in doubles/examinees.py"
    assert not names(EXAMINATIONS.keys() - found), "this is none of them"


def names(kinds: Set[type]) -> list[str]:
    return sorted(f"{kind.__module__}.{kind.__qualname__}" for kind in kinds)


@pytest.mark.parametrize("kind", sorted(EXAMINATIONS, key=lambda kind: kind.__name__), ids=lambda kind: kind.__name__)
async def test_it_keeps_the_laws(kind: type, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    await EXAMINATIONS[kind](Places(lambda: request.getfixturevalue("shelf_folder"), tmp_path))
