"""Reranking in two protocols: what is sent, what is read, and what is chosen."""

from __future__ import annotations

from typing import Any

import dashscope
import pytest
from dashscope.api_entities.http_request import close_shared_sync_session
from doubles.sdk_requests import KEY, sent_by
from doubles.whole_answers import check_damage, recorded

from companion.dialects.reranking import (
    RerankingDialect,
    choose_reranking_dialect,
    register_reranking_dialect,
    reranking_dialects,
)
from companion.dialects.reranking.cohere import CohereReranking
from companion.dialects.reranking.dashscope import DashScopeReranking
from companion.errors import ModelError, NotRegistered, PatternError, ProviderFailed, Refused, WireBroken
from companion.model.rerank import RerankParams, RerankRequest
from companion.stream import Usage

DOCUMENTS = ("the lamp", "the kettle", "the boiler")
COHERE, DASHSCOPE = CohereReranking(), DashScopeReranking()
DIALECTS: dict[str, RerankingDialect] = {"cohere": COHERE, "jina": COHERE, "dashscope": DASHSCOPE}


def asked(top_n: int | None = 2, **extra: Any) -> RerankRequest:
    return RerankRequest("heating", DOCUMENTS, top_n, RerankParams("rerank-v3.5", extra))


def test_cohere_and_those_after_it_are_asked_as_their_references_say() -> None:
    wire = COHERE.encode(asked(max_tokens_per_doc=512), "https://api.cohere.com")
    assert wire.url == "https://api.cohere.com/v2/rerank"
    assert wire.body == {
        "model": "rerank-v3.5",
        "query": "heating",
        "documents": ["the lamp", "the kettle", "the boiler"],
        "top_n": 2,
        "max_tokens_per_doc": 512,
    }
    assert "top_n" not in COHERE.encode(asked(None), "https://api.cohere.com").body
    assert COHERE.encode(asked(), "https://api.jina.ai/v1").url == "https://api.jina.ai/v1/rerank"
    assert COHERE.encode(asked(), "http://127.0.0.1:8080/reranking#").url == "http://127.0.0.1:8080/reranking"


@pytest.mark.parametrize("top_n", [2, None])
async def test_dashscope_gets_what_its_sdk_sends(monkeypatch: pytest.MonkeyPatch, top_n: int | None) -> None:
    def ask(url: str) -> None:
        monkeypatch.setattr(dashscope, "base_http_api_url", f"{url}/api/v1")
        dashscope.TextReRank.call(
            "qwen3-rerank", "heating", list(DOCUMENTS), top_n=top_n, return_documents=False, api_key=KEY
        )
        close_shared_sync_session()

    theirs = await sent_by(ask, recorded("reranking", "dashscope"))
    request = RerankRequest("heating", DOCUMENTS, top_n, RerankParams("qwen3-rerank", {"return_documents": False}))
    ours = DASHSCOPE.encode(request, "https://dashscope.aliyuncs.com/api/v1")

    assert ours.body == theirs.json
    assert ours.url == f"https://dashscope.aliyuncs.com{theirs.path}"


@pytest.mark.parametrize(
    ("name", "scores", "tokens"),
    [
        ("cohere", ((2, 0.999071), (0, 0.32713068)), 41),
        ("jina", ((2, 0.78), (0, -0.12)), 815),
        ("dashscope", ((2, 0.9334521178273196), (0, 0.34100082626411193)), 79),
    ],
)
def test_scores_come_with_the_places_of_their_documents(
    name: str, scores: tuple[tuple[int, float], ...], tokens: int
) -> None:
    answer = DIALECTS[name].read(recorded("reranking", name))
    assert answer.ranked == scores
    assert answer.usage == Usage(prompt_tokens=tokens)


def test_a_list_by_another_name_is_read() -> None:
    assert COHERE.read({"object": "list", "data": [{"index": 0, "relevance_score": 1}]}).ranked == ((0, 1.0),)


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"index": 0},
        {"relevance_score": 1.0},
        {"index": -1, "relevance_score": 1},
        {"index": 0, "relevance_score": "1"},
        {"index": True, "relevance_score": 1},
        {"index": 0, "relevance_score": True},
    ],
)
def test_a_document_without_place_or_score_is_an_error(row: dict[str, Any]) -> None:
    with pytest.raises(WireBroken):
        COHERE.read({"results": [row]})


@pytest.mark.parametrize("name", DIALECTS)
def test_a_damaged_answer_is_an_error_of_ours_or_still_an_answer(name: str) -> None:
    check_damage(recorded("reranking", name), DIALECTS[name].read)


def test_a_refusal_is_told_in_the_words_of_the_provider() -> None:
    fault = COHERE.fault(401, {"message": "no api key supplied"})
    assert isinstance(fault, Refused)
    assert "no api key supplied" in str(fault)
    assert isinstance(COHERE.fault(502, "<html>"), ProviderFailed)
    with pytest.raises(ProviderFailed, match="in trouble"):
        COHERE.read({"error": {"message": "in trouble"}})
    with pytest.raises(ModelError, match="no such model"):
        DASHSCOPE.read({"code": "ModelNotFound", "message": "no such model"})


@pytest.mark.parametrize(
    ("standard", "provider", "url", "name"),
    [
        ("", "", "", "cohere"),
        ("", "", "https://api.jina.ai/v1/rerank", "cohere"),
        ("jina", "", "", "cohere"),
        ("", "dashscope", "", "dashscope"),
        ("", "", "https://dashscope.aliyuncs.com/api/v1/services/rerank/text-rerank/text-rerank", "dashscope"),
        ("", "vllm", "https://dashscope.aliyuncs.com/api/v1/services/rerank/text-rerank/text-rerank", "cohere"),
    ],
)
def test_a_dialect_is_chosen_by_standard_then_provider_then_address(
    standard: str, provider: str, url: str, name: str
) -> None:
    assert choose_reranking_dialect(standard, provider, url).name == name


def test_dialects_stand_by_priority_and_none_can_be_taken_twice() -> None:
    assert reranking_dialects()[0] == "dashscope"
    with pytest.raises(PatternError, match="is taken"):
        register_reranking_dialect(CohereReranking())
    with pytest.raises(NotRegistered):
        choose_reranking_dialect("ollama")
