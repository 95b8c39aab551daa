"""The providers that a configuration may name, whether they are built in yet or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from companion.compose.loader.entry import ModelType


@dataclass(frozen=True, slots=True)
class Provider:
    """What somebody serves, and the keys that it asks for: ``api_key``, ``app_id``."""

    types: frozenset[ModelType]
    needs: tuple[str, ...] = ()


_SPEECH = (ModelType.TTS, ModelType.ASR, ModelType.REALTIME)


def _remote(*types: ModelType, needs: tuple[str, ...] = ("api_key",)) -> Provider:
    return Provider(frozenset(types), needs)


REMOTE: Mapping[str, Provider] = MappingProxyType(
    {
        "anthropic": _remote(ModelType.GENERATOR),
        "dashscope": _remote(ModelType.GENERATOR, *_SPEECH),
        "doubao": _remote(*_SPEECH, needs=("app_id", "api_key")),
        "gemini": _remote(ModelType.GENERATOR, *_SPEECH),
        "google": _remote(ModelType.GENERATOR, *_SPEECH),
        "minimax": _remote(ModelType.GENERATOR, ModelType.TTS),
        "ollama": _remote(ModelType.GENERATOR, needs=()),
        "openai": _remote(ModelType.GENERATOR, *_SPEECH),
    }
)
"""Served over the network."""

LEGACY_KINDS: Mapping[str, str] = MappingProxyType({"openai": "openai/chat/v1", "gemini": "gemini/chat/v1"})
"""What older files say in ``kind``, and the schema that means."""
