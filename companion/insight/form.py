"""A form for a model to fill in: asked as the call of a tool, read back as a Python type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, TypedDict, TypeVar, cast

from companion.errors import InvalidAnswer
from companion.model import ChatRole, FuncTool, Generator, Message, ModelContext, SystemPrompt
from companion.model.json_repair import read_json
from companion.model.shape import Misfit
from companion.model.typed import shape_of
from companion.stream import FuncCall

T = TypeVar("T")


class Pair(TypedDict):
    """One entry of a table, as models write it: a strict JSON schema knows no free names."""

    key: str
    value: str


def folded(pairs: Iterable[Pair]) -> dict[str, str]:
    """The table that ``pairs`` spell out; of a key that is given twice, the last value counts."""
    return {pair["key"].strip(): pair["value"] for pair in pairs if pair["key"].strip()}


class Form(Generic[T]):
    """A form of the type ``answer``: a dataclass or TypedDict of what JSON can say.

    schema: its JSON schema, where it is to say more than the type does.
    """

    def __init__(
        self, name: str, description: str, answer: type[T], *, schema: Mapping[str, object] | None = None
    ) -> None:
        self._shape = shape_of(answer)
        self.tool = FuncTool(name, description, schema or self._shape.schema())

    async def filled(self, generator: Generator, instruction: str, text: str, *, model: str = "") -> T:
        """Have the form filled in for ``text``.

        Raises:
            InvalidAnswer: the answer does not fit the form.
            ModelError, StreamError, TimeoutError: see ``Generator.invoke``.
        """
        prompt = SystemPrompt(self.tool.name, instruction)
        context = ModelContext(prompts=(prompt,), messages=(Message.of(ChatRole.USER, text),))
        _, call = await generator.invoke(context, self.tool, model=model)
        return self.read(call)

    def read(self, call: FuncCall) -> T:
        """What was filled in; slightly broken JSON is mended.

        Raises:
            InvalidAnswer: it does not fit, or another tool was called.
        """
        if call.name != self.tool.name:
            raise self._invalid(f"is a call of {call.name!r}")
        try:
            return cast("T", self._shape.read(read_json(call.arguments)))
        except ValueError as error:
            field = error.field if isinstance(error, Misfit) else ""
            place = f" at {field!r}" if field else ""
            raise self._invalid(f"does not fit its schema{place}", field) from error

    def _invalid(self, what: str, field: str = "") -> InvalidAnswer:
        return InvalidAnswer(f"the answer for {self.tool.name!r} {what}", field=field)
