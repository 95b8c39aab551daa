"""The providers that a configuration may name, whether they are built in yet or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from companion.compose.loader.entry import ModelType


@dataclass(frozen=True, slots=True)
class Provider:
    """What somebody serves.

    needs: what a file has to hold for it to be asked: ``api_key``, ``app_id``.
    subjects: of the schemas of each type; any where none are named.
    """

    types: frozenset[ModelType]
    needs: tuple[str, ...] = ()
    subjects: Mapping[ModelType, Sequence[str]] = field(default_factory=dict)


_SPEECH = (ModelType.TTS, ModelType.ASR, ModelType.REALTIME)


def _remote(*types: ModelType, needs: tuple[str, ...] = ()) -> Provider:
    return Provider(frozenset(types), needs)


REMOTE: Mapping[str, Provider] = MappingProxyType(
    {
        "anthropic": _remote(ModelType.GENERATOR),
        "dashscope": _remote(ModelType.GENERATOR, *_SPEECH),
        "doubao": _remote(*_SPEECH, needs=("app_id", "api_key")),
        "gemini": _remote(ModelType.GENERATOR, *_SPEECH),
        "google": _remote(ModelType.GENERATOR, *_SPEECH),
        "minimax": _remote(ModelType.GENERATOR, ModelType.TTS, needs=("api_key",)),
        "ollama": _remote(ModelType.GENERATOR),
        "openai": _remote(ModelType.GENERATOR, *_SPEECH),
    }
)
"""Known to serve over the network. What a department says of one comes on top."""

LEGACY_KINDS: Mapping[str, str] = MappingProxyType({"openai": "openai/chat/v1", "gemini": "gemini/chat/v1"})
"""What older files say in ``kind``, and the schema that means."""
