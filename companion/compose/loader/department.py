"""The entries of one kind of model: who makes them, and the mux in which they stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from companion.compose.loader.entry import Entry, ModelType
from companion.compose.loader.tuned import tuned_by
from companion.compose.patterns import PatternTable, Registration
from companion.errors import CompanionError, ModelConfigError, PatternError
from companion.model import Generator

T = TypeVar("T")

Freed = Callable[[object], None]
"""Told of what nobody uses any more, on any thread."""


class Change(Protocol):
    """The next set of entries of a department, on its way into the mux."""

    @property
    def made(self) -> Sequence[object]:
        """What was made so far."""

    @property
    def removed(self) -> Sequence[str]:
        """Names that are no longer there."""

    def make(self) -> None:
        """Make what is not there yet; nothing is registered. Runs on any thread, since files may be looked at.

        Raises:
            ModelConfigError: something cannot be made.
        """

    def apply(self) -> None:
        """Register the whole set in place of the one before.

        Raises:
            ModelConfigError: a name is no pattern, or taken by somebody else; then nothing has changed.
        """

    def undo(self) -> None:
        """Take ``apply`` back."""

    def settle(self) -> None:
        """Hold what was applied, and let go of what it replaced, which is freed once its running calls have ended."""

    def abandon(self) -> None:
        """Let go of what was made, in the same way."""


class Department(Protocol):
    """A mux, and who makes what stands in it."""

    @property
    def serves(self) -> Mapping[tuple[ModelType, str], Sequence[str]]:
        """The subjects that are known, by type and provider; any where none are named."""

    def change(self, entries: Sequence[Entry], freed: Freed) -> Change:
        """Begin to replace what is there by ``entries``."""


@dataclass(frozen=True, slots=True)
class _Held(Generic[T]):
    entry: Entry
    registration: Registration[T]


class MuxDepartment(Generic[T]):
    """The Department of a mux.

    makers: by type and provider; each makes one thing for one entry, fresh, on any thread, and loads nothing.
        What it makes is closed, if it has a ``close``, when nobody uses it any more.
    subjects: that each of them knows; any where none are named.
    finish: has the last word on everything that is made.
    """

    def __init__(
        self,
        mux: PatternTable[T],
        makers: Mapping[tuple[ModelType, str], Callable[[Entry], T]],
        finish: Callable[[Entry, T], T] = lambda entry, made: made,
        *,
        subjects: Mapping[tuple[ModelType, str], Sequence[str]] | None = None,
    ) -> None:
        self.mux = mux
        self._makers = makers
        self._finish = finish
        self._subjects = subjects or {}
        self.held: Sequence[_Held[T]] = ()

    @property
    def serves(self) -> Mapping[tuple[ModelType, str], Sequence[str]]:
        return {what: self._subjects.get(what, ()) for what in self._makers}

    def change(self, entries: Sequence[Entry], freed: Freed) -> _MuxChange[T]:
        return _MuxChange(self, entries, freed)

    def make(self, entry: Entry, freed: Freed) -> _Held[T]:
        """Make what serves ``entry``. Raises as ``Change.make`` does."""
        try:
            value = self._finish(entry, self._makers[entry.type, entry.schema.provider](entry))
        except ModelConfigError:
            raise
        except CompanionError as error:
            raise ModelConfigError(
                f"{entry.file}: {entry.place}: {error}", file=str(entry.file), field=entry.place, mend=error.mend
            ) from error
        return _Held(entry, Registration(entry.name, value, when_free=lambda: freed(value)))


class _MuxChange(Generic[T]):
    def __init__(self, department: MuxDepartment[T], entries: Sequence[Entry], freed: Freed) -> None:
        self._department = department
        self._freed = freed
        # Somebody else may have unregistered one of ours.
        self._old = [held for held in department.held if not held.registration.is_retired]
        self._new: list[_Held[T]] = []
        self._kept: list[_Held[T]] = []
        self._entries = entries

    @property
    def made(self) -> Sequence[T]:
        return [held.registration.value for held in self._new]

    @property
    def removed(self) -> Sequence[str]:
        names = {entry.name for entry in self._entries}
        return [held.entry.name for held in self._old if held.entry.name not in names]

    def make(self) -> None:
        for entry in self._entries:
            same = next((held for held in self._old if held.entry == entry), None)
            if same is None:
                self._new.append(self._department.make(entry, self._freed))
            else:
                self._old.remove(same)
                self._kept.append(_Held(entry, same.registration))

    def apply(self) -> None:
        try:
            self._department.mux.exchange(_registrations(self._old), _registrations(self._new))
        except PatternError as error:
            entry = next(held.entry for held in self._new if held.entry.name == error.pattern)
            raise entry.wrong("name", f"cannot be used: {error}", error.mend) from error

    def undo(self) -> None:
        self._department.mux.exchange(_registrations(self._new), _registrations(self._old))

    def settle(self) -> None:
        self._department.held = (*self._kept, *self._new)
        _retire(self._old)

    def abandon(self) -> None:
        _retire(self._new)


def _retire(all_held: Sequence[_Held[T]]) -> None:
    for registration in _registrations(all_held):
        registration.retire()


def _registrations(all_held: Sequence[_Held[T]]) -> list[Registration[T]]:
    return [held.registration for held in all_held]


def generator_department(
    mux: PatternTable[Generator],
    makers: Mapping[tuple[ModelType, str], Callable[[Entry], Generator]],
    *,
    subjects: Mapping[tuple[ModelType, str], Sequence[str]] | None = None,
) -> MuxDepartment[Generator]:
    """The department of generators, each with the parameters of its entry."""
    return MuxDepartment(mux, makers, tuned_by, subjects=subjects)
