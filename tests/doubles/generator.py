"""A language model that says what it was told to."""

from companion.errors import ModelError
from companion.model import FuncTool, ModelContext
from companion.model.structured import invoke_by_text
from companion.stream import (
    FuncCall,
    MessageChunk,
    Role,
    Stream,
    StreamCtrl,
    Text,
    Usage,
    begin_of_stream,
    end_of_stream,
    new_stream_id,
    stream_of,
)


class ScriptedGenerator:
    """Answers with the next of ``answers``, word by word, and keeps the contexts it was given."""

    def __init__(self, *answers: str, error: ModelError | None = None) -> None:
        self._answers = list(answers)
        self._error = error
        self.contexts: list[ModelContext] = []
        self.streams: list[Stream] = []

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        self.contexts.append(context)
        if self._error is not None:
            raise self._error
        route = new_stream_id()
        words = [
            MessageChunk(role=Role.MODEL, part=Text(word), ctrl=StreamCtrl(route))
            for word in self._answers.pop(0).split(" ")
        ]
        begin, ends = begin_of_stream(route, role=Role.MODEL), end_of_stream(route, role=Role.MODEL)
        self.streams.append(stream_of([begin, *words, end_of_stream(route, role=Role.MODEL, part=Text("")), ends]))
        return self.streams[-1]

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        return await invoke_by_text(self.generate_stream, context, tool, model=model)


def count_words(text: str) -> int:
    """Tokens, where every word is one."""
    return len(text.split())
