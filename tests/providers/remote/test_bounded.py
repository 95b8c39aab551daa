"""A provider's model is asked for nothing beyond what was set for it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from doubles.chat_backend import ScriptedBackend, says

from companion.errors import Unsupported
from companion.model import (
    ChatRequest,
    ChatRole,
    Contents,
    FuncTool,
    Message,
    ModelContext,
    ModelParams,
    Thought,
    image,
)
from companion.providers.remote.bounded import BoundedChat, Bounds
from companion.stream import Text

NOTE = FuncTool("note", "Notes something.", {"type": "object"})
ASKED = ModelContext(messages=(Message.of(ChatRole.USER, "Hi"),))
PICTURE = Message(ChatRole.USER, Contents((Text("Look"), image(b"\x89PNG\r\n\x1a\n"))))


@pytest.mark.parametrize(
    ("bounds", "request_", "field"),
    [
        (Bounds(takes_text_only=True), ChatRequest(replace(ASKED, messages=(PICTURE,))), "text_only"),
        (Bounds(calls_tools=False), ChatRequest(replace(ASKED, tools=(NOTE,))), "support_tool_calls"),
        (Bounds(holds_form=False), ChatRequest(ASKED, answer_form=NOTE), "support_json_output"),
    ],
)
async def test_what_is_beyond_the_bounds_is_not_sent(bounds: Bounds, request_: ChatRequest, field: str) -> None:
    backend = ScriptedBackend(says("Hi"), name="far")

    with pytest.raises(Unsupported, match="far") as caught:
        await BoundedChat(backend, bounds).ask(request_)
    assert field in caught.value.mend
    assert not backend.requests

    await BoundedChat(backend, Bounds()).ask(request_)
    assert backend.requests == [replace(request_, model="")]


async def test_thoughts_are_words() -> None:
    backend = ScriptedBackend(says("Hi"))
    thought = Message(ChatRole.ASSISTANT, Contents((Thought("hm"), Text("Well."))))

    await BoundedChat(backend, Bounds(takes_text_only=True)).ask(ChatRequest(replace(ASKED, messages=(thought,))))

    assert len(backend.requests) == 1


async def test_its_own_fields_are_sent_where_a_question_does_not_set_them_and_its_own_model_is_asked() -> None:
    backend = ScriptedBackend(says("Hi"))
    params = ModelParams(extra_fields={"a": 1})

    bounded = BoundedChat(backend, Bounds(extra_fields={"a": 0, "b": 2}))
    await bounded.ask(ChatRequest(replace(ASKED, params=params), model="another"))

    (request,) = backend.requests
    assert (request.model, request.context.params.extra_fields) == ("", {"a": 1, "b": 2})
    assert bounded.name == backend.name
