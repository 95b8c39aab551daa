"""A language model that fills in forms with what it was told to write."""

from companion.errors import ModelError
from companion.model import FuncTool, ModelContext
from companion.model.structured import invoke_by_text
from companion.stream import FuncCall, MessageChunk, Role, Stream, Text, Usage, stream_of


class Filler:
    """Answers with the next of ``answers``, and keeps the contexts it was given."""

    def __init__(self, *answers: str, error: ModelError | None = None) -> None:
        self._answers = list(answers)
        self._error = error
        self.contexts: list[ModelContext] = []

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        self.contexts.append(context)
        if self._error is not None:
            raise self._error
        return stream_of([MessageChunk(role=Role.MODEL, part=Text(self._answers.pop(0)))])

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        return await invoke_by_text(self.generate_stream, context, tool, model=model)


class Caller(Filler):
    """Answers with this call, whatever was asked, and keeps the tools and models it was asked with."""

    def __init__(self, call: FuncCall) -> None:
        super().__init__()
        self._call = call
        self.invoked: list[tuple[str, str]] = []

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        self.invoked.append((tool.name, model))
        return Usage(), self._call
