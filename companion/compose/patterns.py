"""One table from patterns to values, which knows who is using each of them.

Names and patterns are segments between slashes. In a pattern ``+`` is exactly one segment, and ``#``,
which may only stand last, one or more. A slash at the end means nothing; one at the beginning makes
an empty first segment.

Laws:

1. Segment by segment from the left, the exact one goes before ``+`` and ``+`` before ``#``; a way that leads
   nowhere is left for the next. So the order of registration does not matter.
2. A pattern is taken once. An exchange happens as a whole or not at all.
3. Any thread may call. What was taken stays usable until it is given back, whatever is unregistered meanwhile.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, TypeVar

from companion.errors import NotRegistered, PatternError

T = TypeVar("T")

ONE = "+"
REST = "#"


class Registration(Generic[T]):
    """A value under its pattern.

    when_free: called once, on whatever thread that is, when it was unregistered and its last user has gone.
    """

    def __init__(self, pattern: str, value: T, *, when_free: Callable[[], None] | None = None) -> None:
        self.pattern = pattern
        self.value = value
        self._when_free = when_free
        self._lock = threading.Lock()
        self._users = 0
        self._is_retired = False

    @property
    def users(self) -> int:
        """How many calls are running on it."""
        return self._users

    @property
    def is_retired(self) -> bool:
        """Whether the table has let go of it."""
        return self._is_retired

    def take(self) -> None:
        """Count one more user. The table does this; whoever looked it up gives it back."""
        with self._lock:
            self._users += 1

    def give_back(self) -> None:
        """Count one user less."""
        with self._lock:
            self._users -= 1
            is_free = self._is_retired and not self._users
        self._tell(is_free)

    def retire(self) -> None:
        """Say that no new user will come, now that the table has let go of it."""
        with self._lock:
            is_free = not self._users and not self._is_retired
            self._is_retired = True
        self._tell(is_free)

    def _tell(self, is_free: bool) -> None:
        if is_free and self._when_free is not None:
            self._when_free()


class PatternTable(Generic[T]):
    """Values by pattern."""

    what = "value"
    """What is registered, in the words of messages."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._root: _Node[T] = _Node()
        self._registrations: dict[tuple[str, ...], Registration[T]] = {}

    @property
    def patterns(self) -> tuple[str, ...]:
        """Every pattern, oldest first."""
        with self._lock:
            return tuple(registration.pattern for registration in self._registrations.values())

    def register(self, pattern: str, value: T, *, when_free: Callable[[], None] | None = None) -> Registration[T]:
        """Serve the names that ``pattern`` matches by ``value``.

        Raises:
            PatternError: it is no pattern, it is taken, or there is no value.
        """
        registration = Registration(pattern, value, when_free=when_free)
        self.exchange((), (registration,))
        return registration

    def unregister(self, pattern: str) -> T:
        """Let go of a pattern. Calls that run on its value go on.

        Raises:
            NotRegistered: the pattern, as it was written, is not in the table.
        """
        with self._lock:
            registration = self._registrations.get(segments_of(pattern))
            if registration is None:
                raise self._missing(pattern)
            self._remove(registration)
        registration.retire()
        return registration.value

    def exchange(self, old: Iterable[Registration[T]], new: Iterable[Registration[T]]) -> None:
        """Let go of ``old`` and take in ``new`` in one step, without retiring anything: that is the caller's to do.

        Raises:
            PatternError: one of the new ones cannot be registered; then nothing has changed.
            NotRegistered: one of the old ones is not in the table; then nothing has changed.
        """
        old, new = tuple(old), tuple(new)
        for registration in new:
            self._check(registration)
        with self._lock:
            held = dict(self._registrations)
            for registration in old:
                if held.pop(segments_of(registration.pattern), None) is not registration:
                    raise self._missing(registration.pattern)
            for registration in new:
                if held.setdefault(segments_of(registration.pattern), registration) is not registration:
                    raise self._taken(registration.pattern)
            for registration in old:
                self._remove(registration)
            for registration in new:
                self._add(registration)

    def find(self, name: str) -> Registration[T]:
        """What is meant by ``name``; ``pattern`` of the answer says what matched.

        Raises:
            NotRegistered: no pattern matches.
        """
        with self._lock:
            return self._find(name)

    def take(self, name: str) -> Registration[T]:
        """``find``, and count as a user until ``give_back``. Raises as ``find`` does."""
        with self._lock:
            registration = self._find(name)
            registration.take()
            return registration

    @contextmanager
    def using(self, name: str) -> Iterator[T]:
        """The value that is meant by ``name``, for as long as the block runs. Raises as ``find`` does."""
        registration = self.take(name)
        try:
            yield registration.value
        finally:
            registration.give_back()

    def _find(self, name: str) -> Registration[T]:
        found = self._root.find(segments_of(name))
        if found is None:
            raise self._missing(name)
        return found

    def _add(self, registration: Registration[T]) -> None:
        segments = segments_of(registration.pattern)
        self._registrations[segments] = registration
        self._root.put(segments, registration)

    def _remove(self, registration: Registration[T]) -> None:
        segments = segments_of(registration.pattern)
        del self._registrations[segments]
        self._root.put(segments, None)

    def _check(self, registration: Registration[T]) -> None:
        pattern = registration.pattern
        if segments_of(pattern) == ("",):
            raise PatternError(f"a {self.what} needs a name", pattern=pattern, mend=_FORM)
        if registration.value is None:
            raise PatternError(f"there is no {self.what} to register under {pattern!r}", pattern=pattern)
        if REST in segments_of(pattern)[:-1]:
            raise PatternError(f'{pattern!r} is no pattern: "#" may only stand last', pattern=pattern, mend=_FORM)

    def _taken(self, pattern: str) -> PatternError:
        return PatternError(
            f"a {self.what} is already registered under {pattern!r}",
            pattern=pattern,
            mend="Give one of the two another name.",
        )

    def _missing(self, name: str) -> NotRegistered:
        return NotRegistered(f"no {self.what} is registered for {name!r}", name=name)


_FORM = 'Write segments between slashes, as "local/+" or "local/#".'


def segments_of(text: str) -> tuple[str, ...]:
    """The segments of a name or pattern."""
    return tuple(text.removesuffix("/").split("/"))


class _Node(Generic[T]):
    """What may follow a beginning of patterns."""

    __slots__ = ("exact", "here", "one", "rest")

    def __init__(self) -> None:
        self.exact: dict[str, _Node[T]] = {}
        self.one: _Node[T] | None = None
        self.rest: Registration[T] | None = None
        self.here: Registration[T] | None = None

    @property
    def is_empty(self) -> bool:
        return not self.exact and self.one is None and self.rest is None and self.here is None

    def put(self, segments: Sequence[str], registration: Registration[T] | None) -> None:
        """Place a registration, or None to take away what is there."""
        way: list[_Node[T]] = [self]
        *before, last = segments
        for segment in before if last == REST else segments:
            way.append(way[-1].after(segment))
        if last == REST:
            way[-1].rest = registration
        else:
            way[-1].here = registration
        while len(way) > 1 and way[-1].is_empty:
            way.pop()
            way[-1].cut(segments[len(way) - 1])

    def find(self, segments: Sequence[str]) -> Registration[T] | None:
        # Ways not yet tried, the one to prefer last. A node is met at one place only, so each is tried once.
        ways: list[tuple[_Node[T] | Registration[T], int]] = [(self, 0)]
        while ways:
            way, place = ways.pop()
            if isinstance(way, Registration):
                return way
            if place == len(segments):
                if way.here is not None:
                    return way.here
                continue
            exact = way.exact.get(segments[place])
            preferred = ((way.rest, place), (way.one, place + 1), (exact, place + 1))
            ways.extend((further, at) for further, at in preferred if further is not None)
        return None

    def after(self, segment: str) -> _Node[T]:
        if segment != ONE:
            return self.exact.setdefault(segment, _Node())
        if self.one is None:
            self.one = _Node()
        return self.one

    def cut(self, segment: str) -> None:
        if segment == ONE:
            self.one = None
        else:
            del self.exact[segment]
