"""The graph as anybody would write it with a list: what the real one is compared with."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.memory.facts import predicate

FAR = 1 << 60


@dataclass
class Line:
    """A fact; entities by the number they were made under."""

    number: int
    subject: int
    relation: str
    object: int
    session: str
    turn: str
    at: int
    start: int
    until: int = FAR
    status: str = "active"
    changed: int = 0


@dataclass
class ListOfFacts:
    """Times are whole numbers; what is said is always told of at the moment it is said or was said before."""

    names: dict[str, int] = field(default_factory=dict)
    """Names and aliases."""
    mentions: dict[int, int] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    made: int = 0
    entities: int = 0

    def commit(self, subject: str, relation: str, thing: str, *, session: str, turn: str, at: int, now: int) -> None:
        ends = self.names.get(subject), self.names.get(thing)
        if subject == thing or (ends[0] is not None and ends[0] == ends[1]):
            return
        if None not in ends:
            for line in self._same(ends[0], relation, ends[1]):
                if (line.session, line.turn, line.at) == (session, turn, at):
                    return
                if line.status == "deleted" and line.changed > at:
                    return
        source, target = self._mention(subject), self._mention(thing)
        if any(one.session == session and one.status == "active" for one in self._same(source, relation, target)):
            return
        self.made += 1
        fresh = Line(self.made, source, relation, target, session, turn, at, at)
        self._settle(fresh, now)
        self.lines.append(fresh)

    def _settle(self, fresh: Line, now: int) -> None:
        others = [
            line
            for line in self.lines
            if (line.subject, line.status) == (fresh.subject, "active") and self._excludes(line, fresh)
        ]
        later = [line.start for line in others if line.start > fresh.start]
        for line in others:
            if line.start <= fresh.start:
                self._end(line, fresh.start, now)
        if later:
            self._end(fresh, min(later), now)

    def _excludes(self, line: Line, fresh: Line) -> bool:
        known = predicate(fresh.relation)
        if known.is_single:
            return line.relation == fresh.relation and line.object != fresh.object
        return line.relation == known.opposite and line.object == fresh.object

    def _end(self, line: Line, at: int, now: int) -> None:
        if line.status == "active" and line.start <= at < line.until:
            line.until, line.changed = at, now
            line.status = "superseded" if at <= now else "active"

    def forget(self, name: str, now: int) -> int:
        number = self.names.get(name)
        meant = [one for one in self.lines if number in (one.subject, one.object) and one.status != "deleted"]
        for line in meant:
            line.status, line.changed = "deleted", now
        return len(meant)

    def remove(self, name: str) -> int:
        number = self.names.get(name)
        if number is None:
            return 0
        gone = [one for one in self.lines if number in (one.subject, one.object)]
        self.lines = [one for one in self.lines if one not in gone]
        used = {end for one in self.lines for end in (one.subject, one.object)}
        touched = {end for one in gone for end in (one.subject, one.object)} | {number}
        for orphan in touched - used:
            self.mentions.pop(orphan)
            self.names = {name: end for name, end in self.names.items() if end != orphan}
        return len(gone)

    def counting(self) -> set[tuple[int, str, int, str, int]]:
        return {
            (one.subject, one.relation, one.object, one.session, one.at) for one in self.lines if one.status == "active"
        }

    def _same(self, subject: int | None, relation: str, thing: int | None) -> list[Line]:
        wanted = (subject, relation, thing)
        return [one for one in self.lines if (one.subject, one.relation, one.object) == wanted]

    def _mention(self, name: str) -> int:
        if name not in self.names:
            self.entities += 1
            self.names[name] = self.entities
            self.mentions[self.entities] = 0
        self.mentions[self.names[name]] += 1
        return self.names[name]
