"""The Messages API of Anthropic, and of the servers that speak it too (llama-server, Ollama, vLLM)."""

from companion.dialects.anthropic.dialect import Anthropic

__all__ = ["Anthropic"]
