"""One answer on its way out: what was emitted of it, what its reader pulled, and the difference."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.stream.chunk import MessageChunk, Role, StreamCtrl
from companion.stream.lifecycle import Route


@dataclass(frozen=True, slots=True)
class ResponseMarks:
    """What a chunk of the response gets where it has none of its own. Nothing else is ever filled in."""

    role: Role | None = None
    name: str = ""
    label: str = ""


class Response:
    """All channels of one answer, under one stream id of its own.

    It ends once: by an end of the whole route, by ``end``, or by an interruption.
    """

    def __init__(self, stream_id: str, marks: ResponseMarks | None = None) -> None:
        self.stream_id = stream_id
        self._marks = marks or ResponseMarks()
        self._emitted = Route(stream_id)
        self._pulled = Route(stream_id)
        self._is_cut = False

    @property
    def is_active(self) -> bool:
        """More may be emitted."""
        return not (self._is_cut or self._emitted.has_ended)

    @property
    def is_delivered(self) -> bool:
        """The reader has pulled its end."""
        return self._pulled.has_ended

    @property
    def can_be_cut(self) -> bool:
        """Some of it, its end at least, has not reached the reader, and it was not cut before."""
        return not (self._is_cut or self.is_delivered)

    def filled(self, chunk: MessageChunk) -> MessageChunk:
        """``chunk`` with the role, name, label and stream id of the response where it has none."""
        ctrl, marks = chunk.ctrl or StreamCtrl(), self._marks
        if not (ctrl.stream_id and (ctrl.label or not marks.label)):
            ctrl = replace(ctrl, stream_id=ctrl.stream_id or self.stream_id, label=ctrl.label or marks.label)
        role, name = chunk.role or marks.role, chunk.name or marks.name
        if ctrl is chunk.ctrl and role is chunk.role and name == chunk.name:
            return chunk
        return replace(chunk, role=role, name=name, ctrl=ctrl)

    def admit(self, chunk: MessageChunk) -> str:
        """Take note of an emitted chunk (filled), or say why it is refused; empty where it is not."""
        if self._is_cut:
            return f"stream {self.stream_id!r} was interrupted and cannot carry more"
        if chunk.stream_id != self.stream_id:
            return f"a chunk of stream {chunk.stream_id!r} does not belong to the response {self.stream_id!r}"
        return self._emitted.admit(chunk)

    def pulled(self, chunk: MessageChunk) -> None:
        """The reader has ``chunk``."""
        self._pulled.accept(chunk)

    def end(self, error: str = "") -> list[MessageChunk]:
        """End it, by the end markers still missing: each open channel in MIME order, then the route.

        The second time there are none.
        """
        markers = [self.filled(marker) for marker in self._emitted.ends(error)] if self.is_active else []
        for marker in markers:
            self._emitted.accept(marker)
        return markers

    def cut(self, error: str) -> list[MessageChunk]:
        """End it here: what the reader needs after the chunks it has pulled, when it gets no more of the data.

        A begin it did not pull is given again, empty; every channel that was declared ends, and the route.
        """
        self._is_cut = True
        return [self.filled(marker) for marker in self._emitted.rest_after(self._pulled, error)]
