"""A folder of configuration files, and models that say what they were made of."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from companion.compose.loader import Credentials, Entry, ModelLoader, ModelType, MuxDepartment, generator_department
from companion.compose.mux import GeneratorMux, LabelerMux, Processor, ProfilerMux, SegmentorMux, TransformerMux
from companion.errors import ModelMissing
from companion.model import FuncTool, Generator, ModelContext
from companion.stream import (
    FuncCall,
    MessageChunk,
    Role,
    Stream,
    StreamCtrl,
    Text,
    Transformer,
    Usage,
    begin_of_stream,
    end_of_stream,
    stream_of,
)


@dataclass
class Made:
    """Stands for a model of any kind. Answers by the provider's name of its model, in three words."""

    entry: Entry
    contexts: list[ModelContext] = field(default_factory=list)
    closed: int = 0
    was_closed: asyncio.Event = field(default_factory=asyncio.Event)

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        self.contexts.append(context)
        words = [MessageChunk(role=Role.MODEL, part=Text(self.entry.model), ctrl=StreamCtrl("s"))] * 3
        return stream_of([begin_of_stream("s", role=Role.MODEL), *words, end_of_stream("s", role=Role.MODEL)])

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        self.contexts.append(context)
        return Usage(), FuncCall(tool.name, "{}")

    async def transform(self, source: Stream) -> Stream:
        return source

    async def process(self, source: str, /) -> str:
        return f"{self.entry.model}: {source}"

    async def close(self) -> None:
        self.closed += 1
        self.was_closed.set()


class ModelFolder:
    """Files below ``folder``, loaded into muxes of its own. Its local provider is ``toy``."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.made: list[Made] = []
        self.secrets: dict[str, str] = {}
        self.generators, self.transformers = GeneratorMux(), TransformerMux()
        self.segmentors: SegmentorMux[str, str] = SegmentorMux()
        self.profilers: ProfilerMux[str, str] = ProfilerMux()
        self.labelers: LabelerMux[str, str] = LabelerMux()
        speech = (ModelType.TTS, ModelType.ASR, ModelType.REALTIME)
        self.loader = ModelLoader(
            folder,
            (
                generator_department(self.generators, {(ModelType.GENERATOR, "toy"): self.make}),
                MuxDepartment[Transformer](self.transformers, {(kind, "toy"): self.make for kind in speech}),
                MuxDepartment[Processor[str, str]](self.segmentors, {(ModelType.SEGMENTOR, "genx"): self.make}),
                MuxDepartment[Processor[str, str]](self.profilers, {(ModelType.PROFILER, "genx"): self.make}),
                MuxDepartment[Processor[str, str]](self.labelers, {(ModelType.LABELER, "genx"): self.make}),
            ),
            Credentials(environment, self.secrets.get),
        )

    def make(self, entry: Entry) -> Made:
        if entry.model == "not-here":
            raise ModelMissing("not-here is not on the shelf", mend="companion models pull not-here")
        self.made.append(Made(entry))
        return self.made[-1]

    def write(self, name: str, content: Mapping[str, object] | str) -> Path:
        """Write a file: fields as JSON, which is YAML too, or text as it is."""
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return file

    def patterns(self) -> set[str]:
        """Everything that is registered."""
        muxes = (self.generators, self.transformers, self.segmentors, self.profilers, self.labelers)
        return {pattern for mux in muxes for pattern in mux.patterns}

    async def say(self, name: str) -> str:
        """What the generator of that name answers."""
        mux: Generator = self.generators
        stream = await mux.generate_stream(ModelContext(), model=name)
        return " ".join([chunk.part.text async for chunk in stream if isinstance(chunk.part, Text)])


def toy(*names: str, model: str = "m", **fields: object) -> dict[str, object]:
    """The fields of a file with generators of the local provider."""
    models = [{"name": name, "model": model} for name in names]
    return {"schema": "toy/chat/v1", "type": "generator", "models": models, **fields}
