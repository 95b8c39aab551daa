"""Chat completions, as OpenAI has them and most others speak too: hosted models, llama-server, vLLM, LM Studio."""

from companion.dialects.openai_completions.dialect import OpenAICompletions

__all__ = ["OpenAICompletions"]
