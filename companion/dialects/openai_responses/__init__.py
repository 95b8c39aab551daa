"""The Responses API of OpenAI, and of the servers that speak it too (llama-server, LM Studio, Ollama, vLLM)."""

from companion.dialects.openai_responses.dialect import OpenAIResponses

__all__ = ["OpenAIResponses"]
