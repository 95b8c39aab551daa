"""Models as a folder of configuration files describes them: those of this machine, and what reads text by them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from companion.app.local_makers import LocalMakers
from companion.app.models import ModelRoom
from companion.app.paths import Paths
from companion.app.shelf import build_shelf
from companion.compose.loader import (
    Credentials,
    Entry,
    ModelLoader,
    ModelType,
    MuxDepartment,
    Report,
    Unready,
    generator_department,
)
from companion.compose.mux import GeneratorMux, LabelerMux, Processor, ProfilerMux, SegmentorMux, TransformerMux
from companion.insight.labeler import Labeler, LabelInput, LabelResult
from companion.insight.profiler import ProfileInput, Profiler, ProfileResult
from companion.insight.segmentor import SegmentInput, Segmentor, SegmentResult
from companion.settings.secrets import Secrets
from companion.settings.store import SettingsStore
from companion.stream import Transformer

__all__ = ["Entry", "ModelMuxes", "Report", "Unready", "check_config", "model_loader"]

_INSIGHT = "genx"
"""The provider of what reads text by a generator."""


@dataclass(frozen=True, slots=True)
class ModelMuxes:
    """Every model that a companion knows by name."""

    generators: GeneratorMux = field(default_factory=GeneratorMux)
    transformers: TransformerMux = field(default_factory=TransformerMux)
    """What hears and what speaks."""
    segmentors: SegmentorMux[SegmentInput, SegmentResult] = field(default_factory=SegmentorMux)
    profilers: ProfilerMux[ProfileInput, ProfileResult] = field(default_factory=ProfilerMux)
    labelers: LabelerMux[LabelInput, LabelResult] = field(default_factory=LabelerMux)


def model_loader(folder: Path, muxes: ModelMuxes, room: ModelRoom) -> ModelLoader:
    """What loads ``folder`` into ``muxes``, and loads it again when it has changed."""
    local = LocalMakers(room)
    ask = muxes.generators
    return ModelLoader(
        folder,
        (
            generator_department(ask, {(ModelType.GENERATOR, "llama_cpp"): local.language_model}),
            MuxDepartment[Transformer](
                muxes.transformers,
                {(ModelType.ASR, "faster_whisper"): local.recogniser, (ModelType.TTS, "piper"): local.voice},
            ),
            MuxDepartment[Processor[SegmentInput, SegmentResult]](
                muxes.segmentors, {(ModelType.SEGMENTOR, _INSIGHT): lambda entry: Segmentor(ask, model=entry.model)}
            ),
            MuxDepartment[Processor[ProfileInput, ProfileResult]](
                muxes.profilers, {(ModelType.PROFILER, _INSIGHT): lambda entry: Profiler(ask, model=entry.model)}
            ),
            MuxDepartment[Processor[LabelInput, LabelResult]](
                muxes.labelers, {(ModelType.LABELER, _INSIGHT): lambda entry: Labeler(ask, model=entry.model)}
            ),
        ),
        Credentials(os.environ, Secrets(room.paths.secrets_file).get),
    )


async def check_config(folder: Path) -> Report:
    """Load a folder into muxes that nobody uses, and say what was in it. No model comes into memory.

    Raises:
        ModelConfigError: something cannot be used; names file and field.
        SettingsError: the settings cannot be used.
    """
    paths = Paths.here()
    room = ModelRoom.of(SettingsStore(paths.settings_file).check(), paths, build_shelf(paths.shelf))
    loader = model_loader(folder, ModelMuxes(), room)
    try:
        return await loader.load()
    finally:
        await loader.close()
