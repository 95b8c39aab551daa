"""Embedding in three protocols: what is sent, what is read, and what is chosen."""

from __future__ import annotations

import base64
import struct
from typing import Any

import dashscope
import ollama
import pytest
from dashscope.api_entities.http_request import close_shared_sync_session
from doubles.sdk_requests import KEY, sent_by
from doubles.whole_answers import check_damage, recorded
from openai import AsyncOpenAI
from openai.types import EmbeddingCreateParams
from pydantic import TypeAdapter

from companion.dialects.embedding import (
    EmbeddingDialect,
    choose_embedding_dialect,
    embedding_dialects,
    register_embedding_dialect,
)
from companion.dialects.embedding.dashscope import DashScopeEmbedding
from companion.dialects.embedding.ollama import OllamaEmbedding
from companion.dialects.embedding.openai import OpenAIEmbedding
from companion.errors import (
    ContextTooLong,
    ModelError,
    NotRegistered,
    PatternError,
    ProviderFailed,
    Refused,
    Throttled,
    WireBroken,
)
from companion.model.embed import EmbedParams
from companion.stream import Usage

TEXTS = ["the kettle boils", "你好，世界 🙂"]
DIALECTS: dict[str, EmbeddingDialect] = {
    "openai": OpenAIEmbedding(), "ollama": OllamaEmbedding(), "dashscope": DashScopeEmbedding(),
}  # fmt: skip


async def test_openai_gets_what_its_sdk_sends() -> None:
    async def ask(url: str) -> None:
        async with AsyncOpenAI(base_url=f"{url}/v1", api_key=KEY, max_retries=0) as client:
            await client.embeddings.create(model="text-embedding-3-small", input=TEXTS, dimensions=3, user="us")

    theirs = await sent_by(ask, recorded("embedding", "openai"))
    params = EmbedParams("text-embedding-3-small", dimensions=3, extra_fields={"user": "us"})
    ours = DIALECTS["openai"].encode(TEXTS, params, "https://api.openai.com")

    assert ours.body == theirs.json
    assert ours.url == f"https://api.openai.com{theirs.path}"
    TypeAdapter(EmbeddingCreateParams).validate_python(ours.body)


async def test_ollama_gets_what_its_sdk_sends() -> None:
    async def ask(url: str) -> None:
        options = {"num_ctx": 512}
        client = ollama.AsyncClient(host=url)
        await client.embed("all-minilm", TEXTS, truncate=False, options=options, keep_alive="5m", dimensions=3)
        await client._client.aclose()

    theirs = await sent_by(ask, recorded("embedding", "ollama"))
    extra = {"truncate": False, "keep_alive": "5m", "num_ctx": 512}
    ours = DIALECTS["ollama"].encode(TEXTS, EmbedParams("all-minilm", 3, extra_fields=extra), "http://127.0.0.1:11434")

    assert ours.body == theirs.json
    assert ours.url == f"http://127.0.0.1:11434{theirs.path}"


async def test_dashscope_gets_what_its_sdk_sends(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(url: str) -> None:
        monkeypatch.setattr(dashscope, "base_http_api_url", f"{url}/api/v1")
        dashscope.TextEmbedding.call(
            "text-embedding-v4", TEXTS, api_key=KEY, dimension=64, text_type="query", output_type="dense"
        )
        close_shared_sync_session()

    theirs = await sent_by(ask, recorded("embedding", "dashscope"))
    params = EmbedParams("text-embedding-v4", 64, "query", {"output_type": "dense"})
    ours = DIALECTS["dashscope"].encode(TEXTS, params, "https://dashscope.aliyuncs.com/api/v1")

    assert ours.body == theirs.json
    assert ours.url == f"https://dashscope.aliyuncs.com{theirs.path}"


@pytest.mark.parametrize(
    ("name", "first", "second", "tokens"),
    [
        ("openai", (-0.0069292834, -0.0053364220, 0.5), (0.25, -0.5, 1.0), 8),
        ("ollama", (0.010071029, -0.0017594862, 0.05007221), (-0.0098027775, 0.06042469, 0.025257962), 8),
        ("dashscope", (-0.006929283495992422, -0.005336422007530928, 0.25), (-0.03, 0.04, 0.5), 27),
    ],
)
def test_vectors_come_in_the_order_of_their_texts(
    name: str, first: tuple[float, ...], second: tuple[float, ...], tokens: int
) -> None:
    answer = DIALECTS[name].read(recorded("embedding", name), 2)
    assert answer.vectors == (first, second)
    assert answer.usage == Usage(prompt_tokens=tokens)


def test_numbers_in_base64_are_read_as_they_are() -> None:
    vector = struct.unpack("<3f", struct.pack("<3f", 0.1, -2.5, 3.25))
    packed = base64.b64encode(struct.pack("<3f", 0.1, -2.5, 3.25)).decode()
    answer = DIALECTS["openai"].read({"data": [{"index": 0, "embedding": packed}]}, 1)
    assert answer.vectors == (vector,)
    for cut in ("", packed[:4], "!", "===="):
        with pytest.raises(WireBroken):
            DIALECTS["openai"].read({"data": [{"index": 0, "embedding": cut}]}, 1)


def test_a_server_that_leaves_out_the_places_is_read_in_its_order() -> None:
    answer = DIALECTS["openai"].read({"data": [{"embedding": [1, 2]}, {"embedding": [3, 4]}]}, 2)
    assert answer.vectors == ((1.0, 2.0), (3.0, 4.0))


@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("count", [0, 1, 3])
def test_another_number_of_vectors_than_of_texts_is_an_error(name: str, count: int) -> None:
    with pytest.raises(WireBroken):
        DIALECTS[name].read(recorded("embedding", name), count)


@pytest.mark.parametrize("name", DIALECTS)
def test_a_damaged_answer_is_an_error_of_ours_or_still_an_answer(name: str) -> None:
    check_damage(recorded("embedding", name), lambda answer: DIALECTS[name].read(answer, 2))


@pytest.mark.parametrize("name", DIALECTS)
def test_damaged_words_of_a_failure_are_an_error_of_ours(name: str) -> None:
    told = {"error": {"message": "no such model", "type": "invalid_request_error", "code": "model_not_found"}}

    def read(answer: Any) -> object:
        error = DIALECTS[name].fault(404, answer)
        assert isinstance(error, ModelError)
        raise error

    check_damage(told, read)


@pytest.mark.parametrize(
    ("name", "status", "answer", "error", "words"),
    [
        ("openai", 401, {"error": {"message": "Incorrect API key provided"}}, Refused, "Incorrect API key"),
        ("openai", 429, {"error": {"message": "slow down"}}, Throttled, "slow down"),
        ("openai", 400, {"error": {"message": "maximum context length is 8192 tokens"}}, ContextTooLong, "8192"),
        ("openai", 503, "bad gateway", ProviderFailed, "bad gateway"),
        ("openai", 422, {"detail": "input is too long for us"}, Refused, "too long"),
        ("ollama", 404, {"error": 'model "x" not found, try pulling it first'}, Refused, "pulling"),
        ("ollama", 400, {"error": "the input length exceeds the context length"}, ContextTooLong, "exceeds"),
        ("dashscope", 400, {"code": "InvalidParameter", "message": "batch size is invalid"}, Refused, "batch size"),
        ("dashscope", 429, {"code": "Throttling.RateQuota", "message": "slow"}, Throttled, "slow"),
        ("dashscope", 500, {}, ProviderFailed, "500"),
    ],
)  # fmt: skip
def test_a_refusal_is_told_in_the_words_of_the_provider(
    name: str, status: int, answer: Any, error: type[ModelError], words: str
) -> None:
    fault = DIALECTS[name].fault(status, answer)
    assert type(fault) is error
    assert words in str(fault)


def test_a_failure_within_an_answer_is_told_too() -> None:
    with pytest.raises(ProviderFailed, match="out of memory"):
        DIALECTS["ollama"].read({"error": "out of memory"}, 1)
    with pytest.raises(Refused, match="no such model"):
        DIALECTS["dashscope"].read({"code": "ModelNotFound", "message": "no such model", "request_id": "1"}, 1)
    with pytest.raises(Throttled):
        DIALECTS["dashscope"].read({"code": "Throttling", "message": "slow"}, 1)


@pytest.mark.parametrize(
    ("standard", "provider", "url", "name"),
    [
        ("", "", "", "openai"),
        ("", "", "https://h.example/v1/embeddings", "openai"),
        ("", "", "http://127.0.0.1:11434/api/embed/", "ollama"),
        ("", "", "http://127.0.0.1:11434/api/embed?x=1", "ollama"),
        ("", "openai", "http://127.0.0.1:11434/api/embed", "openai"),
        ("", "dashscope", "https://h.example", "dashscope"),
        ("", "", "https://dashscope.aliyuncs.com/api/v1/services/embeddings/text-embedding", "dashscope"),
        ("", "", "https://dashscope-intl.aliyuncs.com/api/v1/services/embeddings/x", "dashscope"),
        ("", "", "https://dashscope.aliyuncs.com/compatible-mode/v1", "openai"),
        ("", "", "https://example.com/?u=dashscope.aliyuncs.com/api/v1/services/", "openai"),
        ("Ollama", "dashscope", "https://h.example/v1", "ollama"),
        ("openai-completions", "", "", "openai"),
    ],
)
def test_a_dialect_is_chosen_by_standard_then_provider_then_address(
    standard: str, provider: str, url: str, name: str
) -> None:
    assert choose_embedding_dialect(standard, provider, url).name == name


def test_dialects_stand_by_priority_and_none_can_be_taken_twice() -> None:
    assert embedding_dialects()[:2] == ("dashscope", "ollama")
    assert embedding_dialects()[-1] == "openai"
    with pytest.raises(PatternError, match="is taken"):
        register_embedding_dialect(OllamaEmbedding())
    with pytest.raises(NotRegistered) as refused:
        choose_embedding_dialect("olama")
    assert "ollama" in refused.value.mend


@pytest.mark.parametrize(
    ("name", "base_url", "url"),
    [
        ("openai", "https://h.example", "https://h.example/v1/embeddings"),
        ("openai", "https://h.example/openai/v1/", "https://h.example/openai/v1/embeddings"),
        ("openai", "https://h.example/v1/embeddings", "https://h.example/v1/embeddings"),
        ("openai", "https://h.example/embed#", "https://h.example/embed"),
        ("ollama", "http://h.example:11434/api/embed", "http://h.example:11434/api/embed"),
        (
            "dashscope",
            "https://d.example",
            "https://d.example/api/v1/services/embeddings/text-embedding/text-embedding",
        ),
        ("dashscope", "https://d.example/api/v1/services/x/y", "https://d.example/api/v1/services/x/y"),
    ],
)
def test_an_address_is_completed_by_what_the_protocol_adds(name: str, base_url: str, url: str) -> None:
    assert DIALECTS[name].encode(["x"], EmbedParams("m"), base_url).url == url
