"""Who serves chat models: the providers that are known here.

The table is data. Its sources are the API references of the providers as of November 2026.
"""

from __future__ import annotations

from companion.providers.remote.endpoint import Door, Endpoint, KeyHeader, no_such

_OLD_LIMIT = {"max_completion_tokens": "max_tokens"}
_MISTRAL = {**_OLD_LIMIT, "seed": "random_seed"}
# Fields that only tell OpenAI what to do with an answer.
_OPENAI_ONLY = frozenset({"stream_options", "store", "metadata", "service_tier"})
# The odds of each token.
_NO_ODDS = frozenset({"logprobs", "top_logprobs", "logit_bias"})

ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        "openai",
        "OpenAI",
        (
            Door("openai-completions", "https://api.openai.com/v1", renames={"max_tokens": "max_completion_tokens"}),
            Door("openai-responses", "https://api.openai.com/v1"),
        ),
        ("OPENAI_API_KEY",),
    ),
    Endpoint(
        "anthropic",
        "Anthropic",
        (Door("anthropic", "https://api.anthropic.com", KeyHeader.X_API_KEY),),
        ("ANTHROPIC_API_KEY",),
    ),
    Endpoint(
        "google",
        "Google",
        (
            Door("gemini", "https://generativelanguage.googleapis.com/v1beta", KeyHeader.X_GOOG_API_KEY),
            Door("google-interactions", "https://generativelanguage.googleapis.com/v1beta", KeyHeader.X_GOOG_API_KEY),
            Door("openai-completions", "https://generativelanguage.googleapis.com/v1beta/openai", renames=_OLD_LIMIT),
        ),
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    ),
    Endpoint(
        "ollama",
        "Ollama",
        (
            Door("ollama", "http://127.0.0.1:11434", writes_calls=True),
            Door("openai-completions", "http://127.0.0.1:11434/v1", renames=_OLD_LIMIT, writes_calls=True),
            Door("openai-responses", "http://127.0.0.1:11434/v1", writes_calls=True),
            Door("anthropic", "http://127.0.0.1:11434", has_schema=False, writes_calls=True),
        ),
        ("OLLAMA_API_KEY",),
        needs_key=False,
        is_local=True,
    ),
    Endpoint(
        "dashscope",
        "DashScope",
        (
            Door("dashscope", "https://dashscope.aliyuncs.com/api/v1"),
            Door("openai-completions", "https://dashscope.aliyuncs.com/compatible-mode/v1", renames=_OLD_LIMIT),
        ),
        ("DASHSCOPE_API_KEY",),
    ),
    Endpoint(
        "deepseek",
        "DeepSeek",
        (
            # It knows "json_object", but no schema.
            Door("openai-completions", "https://api.deepseek.com", renames=_OLD_LIMIT, has_schema=False),
            Door("anthropic", "https://api.deepseek.com/anthropic", KeyHeader.X_API_KEY, has_schema=False),
        ),
        ("DEEPSEEK_API_KEY",),
    ),
    Endpoint(
        "groq",
        "Groq",
        (
            Door("openai-completions", "https://api.groq.com/openai/v1", refuses=_NO_ODDS),
            Door("openai-responses", "https://api.groq.com/openai/v1"),
        ),
        ("GROQ_API_KEY",),
    ),
    Endpoint(
        "mistral",
        "Mistral",
        # It refuses every field that it does not know, with status 422.
        (
            Door(
                "openai-completions",
                "https://api.mistral.ai/v1",
                renames=_MISTRAL,
                drops=_OPENAI_ONLY,
                refuses=_NO_ODDS,
            ),
        ),
        ("MISTRAL_API_KEY",),
    ),
    Endpoint(
        "openrouter",
        "OpenRouter",
        (
            Door("openai-completions", "https://openrouter.ai/api/v1", renames=_OLD_LIMIT),
            Door("openai-responses", "https://openrouter.ai/api/v1"),
        ),
        ("OPENROUTER_API_KEY",),
    ),
    Endpoint(
        "lm-studio",
        "LM Studio",
        (
            Door(
                "openai-completions",
                "http://127.0.0.1:1234/v1",
                renames=_OLD_LIMIT,
                has_named_choice=False,
                writes_calls=True,
            ),
            Door("openai-responses", "http://127.0.0.1:1234/v1", writes_calls=True),
            Door("anthropic", "http://127.0.0.1:1234", KeyHeader.X_API_KEY, has_schema=False, writes_calls=True),
        ),
        ("LM_API_TOKEN",),
        needs_key=False,
        is_local=True,
    ),
    Endpoint(
        "llama-server",
        "llama-server",
        (
            Door(
                "openai-completions",
                "http://127.0.0.1:8080/v1",
                renames=_OLD_LIMIT,
                has_named_choice=False,
                writes_calls=True,
            ),
            # Both pass over the form of an answer in silence.
            Door(
                "openai-responses",
                "http://127.0.0.1:8080/v1",
                has_schema=False,
                has_named_choice=False,
                writes_calls=True,
            ),
            Door("anthropic", "http://127.0.0.1:8080", KeyHeader.X_API_KEY, has_schema=False, writes_calls=True),
        ),
        ("LLAMA_API_KEY",),
        needs_key=False,
        is_local=True,
    ),
    Endpoint(
        "vllm",
        "vLLM",
        (
            Door("openai-completions", "http://127.0.0.1:8000/v1", renames=_OLD_LIMIT, writes_calls=True),
            Door("openai-responses", "http://127.0.0.1:8000/v1", writes_calls=True),
            Door("anthropic", "http://127.0.0.1:8000", has_schema=False, writes_calls=True),
        ),
        ("VLLM_API_KEY",),
        needs_key=False,
        is_local=True,
    ),
)


def endpoint(name: str) -> Endpoint:
    """The provider of that name.

    Raises:
        NotRegistered: there is none; ``mend`` names the nearest.
    """
    wanted = name.strip().lower()
    for known in ENDPOINTS:
        if known.name == wanted:
            return known
    raise no_such("there is no provider", name, [known.name for known in ENDPOINTS])
