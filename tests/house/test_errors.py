"""The drawing of the error tree is the tree."""

from __future__ import annotations

import inspect
import re

import pytest

from companion import errors

ERRORS = {
    name: kind for name, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, errors.CompanionError)
}


def drawn_tree() -> dict[str, str]:
    """Class name to the name of its parent, as the docstring draws them."""
    tree: dict[str, str] = {}
    above: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        if branch := re.match(r"^\s*((?:\|?\s*)*\+- )?([A-Z]\w+)(?:\s{2,}|$)", line):
            depth = (branch[1] or "").count("|") + (1 if branch[1] else 0)
            del above[depth:]
            tree[branch[2]] = above[-1] if above else "Exception"
            above.append(branch[2])
    return tree


def test_every_error_is_drawn_under_its_parent() -> None:
    assert drawn_tree() == {name: kind.__bases__[0].__name__ for name, kind in ERRORS.items()}


@pytest.mark.parametrize("name", sorted(ERRORS))
def test_every_error_says_when_it_is_raised(name: str) -> None:
    assert ERRORS[name].__doc__


@pytest.mark.parametrize("name", sorted(ERRORS))
def test_every_error_has_an_exit_status(name: str) -> None:
    assert ERRORS[name].exit_status in {1, 2}


def test_an_error_carries_its_mend() -> None:
    error = errors.CompanionError("the cellar is dark", mend="light a candle")

    assert (str(error), error.mend) == ("the cellar is dark", "light a candle")
