"""Transformers behind one another, as one: a recogniser, a cutter and a voice make an interpreter."""

from __future__ import annotations

from companion.stream.contract import Stream, Transformer


class Chain:
    """A Transformer that hands its source from one of ``steps`` to the next.

    Closing its output closes each step's, the last one first, down to the source.
    """

    def __init__(self, *steps: Transformer) -> None:
        self._steps = steps

    async def transform(self, source: Stream) -> Stream:
        stream = source
        for step in self._steps:
            try:
                stream = await step.transform(stream)
            except BaseException:
                # What the steps before have set up has no reader now.
                await stream.close()
                raise
        return stream
