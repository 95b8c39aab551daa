"""An endpoint's dialect is chosen by the name of a standard, by the provider, or by the URL, in this order."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from importlib.metadata import EntryPoint

import pytest

import companion.dialects.plugins as plugins
from companion.dialects import Dialect, choose_dialect, complete_url, dialects, register_dialect
from companion.dialects.embedding import choose_embedding_dialect
from companion.dialects.images import choose_image_dialect, image_dialects
from companion.dialects.ollama import Ollama
from companion.dialects.registry import CHAT
from companion.dialects.reranking import choose_reranking_dialect, reranking_dialects
from companion.dialects.table import DialectTable, Place
from companion.errors import NotRegistered, PatternError, SettingsError


@dataclass
class Tomorrow(Ollama):
    """A dialect of a plugin."""

    name: str = "tomorrow"


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> DialectTable[Dialect]:
    """The table of all, which a test may add to, before any plugin has been asked."""
    monkeypatch.setattr(CHAT, "_places", list(CHAT._places))
    monkeypatch.setattr(CHAT, "_made", {})
    monkeypatch.setattr(plugins, "_asked", set())
    return CHAT


def chosen(standard: str = "", provider: str = "", url: str = "") -> str:
    return choose_dialect(standard, provider, url).name


@pytest.mark.parametrize("name", dialects())
def test_every_dialect_is_there_and_bears_its_name(name: str) -> None:
    dialect = choose_dialect(name)

    assert dialect.name == name
    assert isinstance(dialect, Dialect)
    assert choose_dialect(name) is dialect


def test_the_order_is_that_of_priorities() -> None:
    assert dialects() == (
        "dashscope",
        "ollama",
        "google-interactions",
        "gemini",
        "anthropic",
        "openai-responses",
        "openai-completions",
    )


def test_a_provider_beats_the_url_and_the_default_is_chat_completions() -> None:
    assert chosen(url="http://127.0.0.1:11434/api/chat") == "ollama"
    assert chosen(provider="openai", url="http://127.0.0.1:11434/api/chat") == "openai-completions"
    assert chosen(url="https://h/v1/responses/?x=1") == "openai-responses"
    assert chosen(url="https://nobody.knows") == "openai-completions"
    assert chosen() == "openai-completions"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://dashscope.aliyuncs.com/api/v1/services/aigc/text-generation/generation", "dashscope"),
        ("https://dashscope-intl.aliyuncs.com/api/v1/services/x", "dashscope"),
        ("https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions", "openai-completions"),
        ("https://evil.test/?dashscope.aliyuncs.com/api/v1/services/", "openai-completions"),
        ("http://h/api/chat/", "ollama"),
        ("https://g/v1beta/interactions?alt=sse", "google-interactions"),
        ("https://g/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse", "gemini"),
        ("https://g/v1/models/gemini-3-flash:generateContent", "gemini"),
        ("https://g/v1beta/models", "openai-completions"),
        ("https://a/v1/messages#", "anthropic"),
        ("https://h/chat/completions?x=/api/chat", "openai-completions"),
    ],
)
def test_a_url_tells_its_dialect(url: str, name: str) -> None:
    assert chosen(url=url) == name


@pytest.mark.parametrize(
    ("provider", "name"),
    [("Claude", "anthropic"), ("google-ai", "gemini"), ("dashscope", "dashscope"), ("groq", "openai-completions")],
)
def test_a_provider_tells_its_dialect(provider: str, name: str) -> None:
    assert chosen(provider=provider, url="https://h/interactions") == name


def test_a_standard_beats_all() -> None:
    assert chosen("google-generate", "claude", "http://h/api/chat") == "gemini"
    assert chosen("gemini-interactions") == "google-interactions"


def test_an_unknown_standard_is_an_error_with_the_nearest() -> None:
    with pytest.raises(NotRegistered) as caught:
        choose_dialect("antropic")

    assert caught.value.name == "antropic"
    assert "did you mean anthropic?" in caught.value.mend


def test_what_is_no_url_is_an_error() -> None:
    with pytest.raises(SettingsError, match="no URL"):
        choose_dialect(url="http://[::1/v1")


def test_a_plugin_adds_a_dialect_before_ours(table: DialectTable[Dialect]) -> None:
    register_dialect(
        Tomorrow(), 5, standards=("next",), providers=("nextco",), is_of_url=lambda url: "chat" in url.path
    )

    assert dialects()[0] == "tomorrow"
    assert chosen("next") == chosen(provider="nextco") == chosen(url="http://h/api/chat") == "tomorrow"
    assert chosen(url="http://h/v1/messages") == "anthropic"


def test_a_name_is_taken_once(table: DialectTable[Dialect]) -> None:
    with pytest.raises(PatternError, match="taken"):
        register_dialect(Ollama())
    with pytest.raises(PatternError, match="no name"):
        register_dialect(Tomorrow(""))


def test_plugins_are_asked_once_and_a_broken_one_is_left_out(
    table: DialectTable[Dialect], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked = []

    def entry_points(group: str) -> list[EntryPoint]:
        asked.append(group)
        here = f"{__name__}:"
        return [EntryPoint("broken", "no_such_module_anywhere:f", group), EntryPoint("good", here + "_plugin", group)]

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
    monkeypatch.setattr(EntryPoint, "load", lambda entry: _plugin if entry.name == "good" else _missing())
    with caplog.at_level(logging.WARNING):
        assert "tomorrow" in dialects()
        assert "tomorrow" in dialects()

    assert asked == ["companion.dialects"]
    assert "broken" in caplog.text


def _plugin() -> None:
    register_dialect(Tomorrow())


def _missing() -> None:
    raise ModuleNotFoundError("no_such_module_anywhere")


def test_a_dialect_is_made_when_it_is_chosen(table: DialectTable[Dialect]) -> None:
    made = []
    table.add(Place("slow", lambda: made.append(1) or Tomorrow()))

    assert table.names()[-1] == "slow"
    assert not made
    table.choose("slow")
    assert table.choose("slow").name == "tomorrow"
    assert made == [1]


@pytest.mark.parametrize(
    ("base", "whole"),
    [
        ("https://api.test", "https://api.test/v1/messages"),
        ("https://api.test/v1/", "https://api.test/v1/messages"),
        ("https://api.test/api/paas/v4", "https://api.test/api/paas/v4/messages"),
        ("https://api.test/v1beta", "https://api.test/v1beta/messages"),
        ("https://api.test/v1/messages/", "https://api.test/v1/messages"),
        ("https://api.test/other?key=1", "https://api.test/other/v1/messages?key=1"),
        ("https://api.test/just/so#", "https://api.test/just/so"),
        ("https://api.test/just/so/?a=b#anything", "https://api.test/just/so/?a=b"),
    ],
)
def test_a_base_url_is_completed(base: str, whole: str) -> None:
    assert complete_url(base, "/v1/messages") == whole


def test_a_suffix_without_a_version_is_only_appended() -> None:
    assert complete_url("http://127.0.0.1:11434", "/api/chat") == "http://127.0.0.1:11434/api/chat"
    assert complete_url("http://127.0.0.1:11434/api/chat", "/api/chat") == "http://127.0.0.1:11434/api/chat"


@pytest.mark.parametrize(
    ("choose", "default"),
    [
        (choose_dialect, "openai-completions"),
        (choose_embedding_dialect, "openai"),
        (choose_image_dialect, "openai"),
        (choose_reranking_dialect, "cohere"),
    ],
)
def test_the_dialects_of_all_trades_are_chosen_by_the_same_rules(choose, default) -> None:
    theirs = "https://dashscope.aliyuncs.com/api/v1/services/any"

    assert choose().name == choose(url="https://h.test/v1").name == choose(provider="groq", url=theirs).name == default
    assert choose(url=theirs).name == choose(provider="dashscope-eu").name == choose("DashScope").name == "dashscope"
    with pytest.raises(NotRegistered):
        choose("nobody-speaks-this")


def test_the_plugins_are_asked_whatever_the_trade(
    table: DialectTable[Dialect], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: asked.append(group) or [])

    assert reranking_dialects() == ("dashscope", "cohere")
    assert image_dialects() == ("dashscope", "openai")
    assert asked == ["companion.dialects"]
