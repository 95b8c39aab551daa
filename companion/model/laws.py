"""The examination that every Generator must pass, ours or a plugin's."""

from __future__ import annotations

from collections.abc import Sequence

from companion.model.context import ModelContext, SystemPrompt
from companion.model.generator import Generator
from companion.model.message import ChatRole, Message
from companion.model.options import ModelParams
from companion.stream import MessageChunk, Role, Stream
from companion.stream.exam import Law, demand
from companion.stream.exam_stream import StreamExam
from companion.stream.laws import check_stream

__all__ = ["check_generator"]

_QUESTION = ModelContext(
    (SystemPrompt("p", "Be short."),),
    (Message.of(ChatRole.USER, "Say yes."),),
    params=ModelParams(max_tokens=4, temperature=0.0),
)


async def check_generator(
    generator: Generator, *, context: ModelContext = _QUESTION, model: str = "", deadline: float = 2.0
) -> None:
    """Examine the answers of ``generator``: each keeps the laws of a stream, and no call touches another.

    context: what it is asked, again and again; its answer must be the same each time.
    model: the name it is asked by.
    deadline: seconds any single wait may take.

    Raises:
        LawBroken: naming the law.
    """

    async def ask() -> Stream:
        return await generator.generate_stream(context, model=model)

    await check_stream(ask, deadline=deadline)
    exam = StreamExam(ask, deadline)
    whole, again = [await exam.left_clean(exam.reads_whole(None)) for _ in range(2)]
    _is_an_answer_of_its_own(whole, again)
    await exam.left_clean(exam.serves_two(whole))
    await exam.left_clean(exam.serves_one_while_another_closes(whole))
    await exam.left_clean(exam.serves_one_while_another_is_cancelled(whole))


def _is_an_answer_of_its_own(answer: Sequence[MessageChunk], other: Sequence[MessageChunk]) -> None:
    unowned = sorted({str(chunk.role) for chunk in answer if chunk.role is not Role.MODEL})
    demand(not unowned, Law.PAIRS, f"an answer has chunks of the role {', '.join(unowned)}, not model")
    shared = sorted({chunk.stream_id for chunk in answer} & {chunk.stream_id for chunk in other})
    demand(not shared, Law.PAIRS, f"two answers share the stream id {', '.join(map(repr, shared))}")
