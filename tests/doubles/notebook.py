"""A memory on paper, and a shelf of notes, for the talents that ask them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from companion.agent.plugin import Recalled, Request
from companion.errors import StorageError
from companion.talents.memory import Told

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Line:
    subject: str
    relation: str
    object: str
    at: datetime = NOW


@dataclass
class Notebook:
    """Implements ``talents.memory.Remembrance``. torn: nothing can be read or written."""

    lines: list[Line] = field(default_factory=list)
    torn: bool = False

    @classmethod
    def of(cls, *lines: str) -> Notebook:
        """Each as "Emma | likes | tea"; the newest last."""
        return cls([Line(*(part.strip() for part in line.split("|"))) for line in lines])

    async def tell(self, text: str, request: Request) -> Told:
        self._demand()
        if "password" in text:
            return Told((), is_secret=True)
        if any(line.object == text for line in self.lines):
            return Told(())
        self.lines.append(Line("user", "asked_to_remember", text, request.now))
        return Told(self.lines[-1:])

    async def about(self, name: str) -> Sequence[Line]:
        self._demand()
        return [line for line in reversed(self.lines) if name.lower() in (line.subject.lower(), line.object.lower())]

    async def answer(self, question: str, names: Sequence[str]) -> Sequence[Line]:
        self._demand()
        return [
            line for name in names for line in self.lines if name.lower() in f"{line.subject} {line.object}".lower()
        ]

    async def forget_newest(self) -> Sequence[Line]:
        self._demand()
        return [self.lines.pop()] if self.lines else []

    async def forget(self, name: str) -> int:
        gone = await self.about(name) if name else list(self.lines)
        self.lines = [line for line in self.lines if line not in gone]
        return len(gone)

    def _demand(self) -> None:
        if self.torn:
            raise StorageError("memory.db cannot be read", file="memory.db")


def shelf(*notes: tuple[str, str]) -> Callable[[str], Awaitable[Sequence[Recalled]]]:
    """A search over notes, each a text and its place."""

    async def search(query: str) -> Sequence[Recalled]:
        return [Recalled(text, place) for text, place in notes if query.split()[-1] in text]

    return search
