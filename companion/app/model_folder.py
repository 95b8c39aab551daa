"""Models as a folder of configuration files describes them: of this machine, of providers, and what reads by them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from companion.app.events import Telling
from companion.app.local_makers import LOCAL_SUBJECTS, LocalMakers
from companion.app.models import ModelRoom
from companion.app.paths import Paths
from companion.app.remote_makers import RemoteMakers
from companion.app.remote_services import SUBJECTS
from companion.app.shelf import build_shelf
from companion.compose.ledger import Ledger
from companion.compose.loader import (
    Credentials,
    Department,
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


def model_loader(
    folder: Path,
    muxes: ModelMuxes,
    room: ModelRoom,
    *,
    telling: Telling | None = None,
    ledger: Ledger | None = None,
) -> ModelLoader:
    """What loads ``folder`` into ``muxes``, and loads it again when it has changed.

    Loading connects to nobody. Models of providers belong to the event loop on which the first of them is asked.

    telling: told of what leaves for a provider. ledger: where its price is put down; None for one of its own, where
    nobody else in this program has the ledger of ``room``.
    """
    secret = Secrets(room.paths.secrets_file).get
    local, remote = LocalMakers(room), RemoteMakers(room, secret, telling=telling, ledger=ledger)
    subjects = {**LOCAL_SUBJECTS, **SUBJECTS}
    transformers: dict[tuple[ModelType, str], Callable[[Entry], Transformer]] = {
        (ModelType.ASR, "faster_whisper"): local.recogniser,
        (ModelType.TTS, "piper"): local.voice,
        **remote.transformers,
    }
    return ModelLoader(
        folder,
        (
            generator_department(
                muxes.generators,
                {(ModelType.GENERATOR, "llama_cpp"): local.language_model, **remote.generators},
                subjects=subjects,
            ),
            MuxDepartment[Transformer](muxes.transformers, transformers, subjects=subjects),
            *_readers(muxes),
        ),
        Credentials(os.environ, secret),
        objection=remote.objection,
        shared=(remote,),
    )


def _readers(muxes: ModelMuxes) -> tuple[Department, ...]:
    """What reads text by a generator, which is found by its name when it is asked."""
    ask = muxes.generators
    segmentor, profiler, labeler = (
        (type_, _INSIGHT) for type_ in (ModelType.SEGMENTOR, ModelType.PROFILER, ModelType.LABELER)
    )
    return (
        MuxDepartment[Processor[SegmentInput, SegmentResult]](
            muxes.segmentors,
            {segmentor: lambda entry: Segmentor(ask, model=entry.model)},
            subjects={segmentor: ("segmentor",)},
        ),
        MuxDepartment[Processor[ProfileInput, ProfileResult]](
            muxes.profilers,
            {profiler: lambda entry: Profiler(ask, model=entry.model)},
            subjects={profiler: ("profiler",)},
        ),
        MuxDepartment[Processor[LabelInput, LabelResult]](
            muxes.labelers,
            {labeler: lambda entry: Labeler(ask, model=entry.model)},
            subjects={labeler: ("labeler",)},
        ),
    )


async def check_config(folder: Path) -> Report:
    """Load a folder into muxes that nobody uses, and say what was in it.

    No model comes into memory, and nobody is connected to.

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
