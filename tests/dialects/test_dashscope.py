"""DashScope's answers: recordings written after the published reference (Alibaba Cloud Model Studio, "DashScope API
reference")."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from dialects.questions import asked, broken_links, question
from dialects.wire import RECORDINGS, check_recording, deltas_of, failure_of, recordings

from companion.dialects import WireEvent, choose_dialect
from companion.dialects.dashscope import DashScope
from companion.dialects.laws import check_dialect, said_of
from companion.errors import ContextTooLong, ModelError, ProviderFailed, Refused, Throttled, WireBroken
from companion.model import ChatRole, Contents, Link, Message, ModelParams, Resource, ToolResult
from companion.model.deltas import (
    BlobDelta,
    CallDelta,
    Counted,
    Finish,
    Finished,
    RawDelta,
    TextDelta,
    ThoughtDelta,
)
from companion.stream import Blob, FuncCall, Text, Usage

DASHSCOPE = DashScope()
BASE = "https://dashscope.aliyuncs.com/api/v1"


def recorded(name: str) -> bytes:
    return (RECORDINGS / "dashscope" / f"{name}.sse").read_bytes()


def event(name: str = "result", **fields: object) -> bytes:
    return f"id:1\nevent:{name}\ndata:{json.dumps(fields)}\n\n".encode()


def choice(message: dict[str, object], reason: str = "stop") -> dict[str, object]:
    return {"choices": [{"message": message, "finish_reason": reason}]}


@pytest.mark.parametrize("path", recordings(DASHSCOPE), ids=lambda path: path.stem)
def test_a_recording_says_the_same_in_every_form_the_line_can_give_it(path: Path) -> None:
    check_recording(DASHSCOPE, path.read_bytes())


def test_it_passes_the_examination_of_dialects() -> None:
    whole = {
        "output": choice({"role": "assistant", "content": "The sky is blue – 蓝色。"}),
        "usage": {"input_tokens": 22, "output_tokens": 10, "prompt_tokens_details": {"cached_tokens": 8}},
    }
    unread = Resource("file:///b.pdf", "application/pdf", data=b"%PDF")
    check_dialect(
        DASHSCOPE,
        recorded("words"),
        whole=whole,
        request=question("qwen-plus"),
        uncarried=[
            question(""),
            question("qwen-plus", params=ModelParams(n=2)),
            question("qwen-plus", params=ModelParams(frequency_penalty=0.5)),
            asked("qwen-plus", Message(ChatRole.TOOL, ToolResult("nobody", "4"))),
            asked("qwen-plus", Message(ChatRole.USER, Contents((unread,)))),
            asked("qwen-plus", Message(ChatRole.USER, Contents((Link("application/pdf", "https://h.test/a.pdf"),)))),
            *broken_links("qwen-plus"),
        ],
    )


def test_words_and_counts_come_in_order() -> None:
    assert deltas_of(DASHSCOPE, recorded("words")) == [
        TextDelta("The sky is "),
        Counted(Usage(22, 4, cached_tokens=8)),
        TextDelta("blue – 蓝色"),
        Counted(Usage(22, 9, cached_tokens=8)),
        TextDelta("。"),
        Counted(Usage(22, 10, cached_tokens=8)),
        Finished(Finish.STOP, reason="stop"),
    ]


def test_thoughts_and_calls_come_out() -> None:
    deltas = [one for one in deltas_of(DASHSCOPE, recorded("thoughts_and_calls")) if not isinstance(one, Counted)]

    assert deltas == [
        ThoughtDelta("Two cities"),
        ThoughtDelta(" are asked for."),
        CallDelta(0, "call_1a", "get_weather", '{"city":'),
        CallDelta(0, "", "", ' "Paris"}'),
        CallDelta(1, "call_2b", "get_weather", '{"city": "Zürich"}'),
        CallDelta(1),
        Finished(Finish.TOOL_CALLS, reason="tool_calls"),
    ]


def test_thoughts_are_part_of_what_was_written() -> None:
    said = said_of(deltas_of(DASHSCOPE, recorded("thoughts_and_calls")))

    assert said.usage == Usage(240, 44, thinking_tokens=6)
    assert said.calls == (FuncCall("get_weather", '{"city": "Paris"}'), FuncCall("get_weather", '{"city": "Zürich"}'))


def test_content_may_be_a_list() -> None:
    assert said_of(deltas_of(DASHSCOPE, recorded("picture_seen"))).text == "A dog on the beach."


def test_what_it_found_on_the_web_is_given_on() -> None:
    raw = [delta.data for delta in deltas_of(DASHSCOPE, recorded("search")) if isinstance(delta, RawDelta)]

    assert [list(one) for one in raw] == [["search_info"]]


def test_an_answer_at_its_limit_is_cut() -> None:
    assert deltas_of(DASHSCOPE, recorded("cut"))[-1] == Finished(Finish.LENGTH, reason="length")


def test_an_answer_that_does_not_pass_the_inspection_is_refused() -> None:
    assert deltas_of(DASHSCOPE, recorded("inspected"))[-1] == Finished(
        Finish.REFUSED, "Output data may contain inappropriate content.", "DataInspectionFailed"
    )


def test_pictures_and_sound_come_out_as_bytes() -> None:
    content = [{"image": "data:image/png;base64,iVBORw=="}, {"image": "https://h.test/a.png"}]
    answer = {"output": choice({"content": content}) | {"audio": {"data": "AAABAA=="}}}

    assert DASHSCOPE.read(answer) == [
        BlobDelta(Blob("image/png", b"\x89PNG")),
        RawDelta({"image": "https://h.test/a.png"}),
        BlobDelta(Blob("audio/pcm; channels=1; rate=24000", b"\0\0\1\0")),
        Finished(Finish.STOP, reason="stop"),
    ]


def test_an_answer_in_plain_text_is_read_too() -> None:
    assert DASHSCOPE.read({"output": {"text": "Hi", "finish_reason": "stop"}}) == [
        TextDelta("Hi"),
        Finished(Finish.STOP, reason="stop"),
    ]


def test_a_reason_of_tomorrow_without_a_word_is_no_empty_answer() -> None:
    assert DASHSCOPE.read({"output": choice({"content": ""}, "policy")}) == [
        Finished(Finish.REFUSED, "policy", "policy")
    ]


def test_content_of_tomorrow_is_counted_and_given_on() -> None:
    decoder = DASHSCOPE.decoder()

    deltas = decoder.feed(
        WireEvent("result", json.dumps({"output": choice({"content": [{"smell": "roses"}]}, "null")}))
    )

    assert deltas == [RawDelta({"smell": "roses"})]
    assert decoder.unknown == 1


def test_a_malformed_event_is_named() -> None:
    with pytest.raises(WireBroken, match="malformed dashscope event: 'choices' is no list"):
        DASHSCOPE.decoder().feed(WireEvent("result", '{"output": {"choices": 5}}'))


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("Throttling.AllocationQuota", Throttled),
        ("InternalError.Algo", ProviderFailed),
        ("InvalidParameter", Refused),
        ("SomethingNew", Refused),
    ],
)
def test_an_error_in_the_middle_keeps_its_meaning(code: str, kind: type[ModelError]) -> None:
    begun = recorded("words").partition(b"id:3")[0]

    error = failure_of(DASHSCOPE, begun + event("error", code=code, message="It says no."))

    assert type(error) is kind
    assert str(error) == "It says no."


def test_an_error_in_place_of_an_answer_is_one() -> None:
    with pytest.raises(Refused, match="Invalid API-key"):
        DASHSCOPE.read({"code": "InvalidApiKey", "message": "Invalid API-key provided.", "request_id": "r"})


@pytest.mark.parametrize(
    ("status", "code", "words", "kind", "mend"),
    [
        (401, "InvalidApiKey", "Invalid API-key provided.", Refused, "key"),
        (400, "Arrearage", "Access denied, please make sure your account is in good standing.", Refused, "account"),
        (400, "DataInspectionFailed", "Input data may contain inappropriate content.", Refused, ""),
        (403, "Model.AccessDenied", "Model access denied.", Refused, "model"),
        (404, "ModelNotFound", "Model not exist.", Refused, "name"),
        (429, "Throttling.RateQuota", "Requests rate limit exceeded.", Throttled, ""),
        (400, "Throttling", "Requests throttling triggered.", Throttled, ""),
        (500, "InternalError", "An internal error has occurred.", ProviderFailed, ""),
        (503, "ModelUnavailable", "Model is unavailable.", ProviderFailed, ""),
    ],
)
def test_faults_say_what_to_do(status: int, code: str, words: str, kind: type[ModelError], mend: str) -> None:
    answer = {"code": code, "message": words, "request_id": "r"}
    for told in (answer, f"id:1\nevent:error\n:HTTP_STATUS/{status}\ndata:{json.dumps(answer)}\n\n"):
        fault = DASHSCOPE.fault(status, told)

        assert type(fault) is kind
        assert str(fault) == words
        assert mend in fault.mend


def test_a_question_that_is_too_long_says_how_much_is_read() -> None:
    words = "Range of input length should be [1, 129024]"
    fault = DASHSCOPE.fault(400, {"code": "InvalidParameter", "message": words})

    assert isinstance(fault, ContextTooLong)
    assert fault.room == 129024


def test_it_is_chosen_by_name_provider_and_url() -> None:
    found = [
        choose_dialect("dashscope"),
        choose_dialect(provider="dashscope"),
        choose_dialect(url=f"{BASE}/services/aigc/text-generation/generation"),
    ]

    assert {dialect.name for dialect in found} == {"dashscope"}


def test_text_of_a_document_goes_along_as_words() -> None:
    parts = (Text("Sum it up."), Resource("file:///a.txt", text="words"))
    body = DASHSCOPE.encode(asked("qwen-plus", Message(ChatRole.USER, Contents(parts))), BASE).body

    assert body["input"] == {"messages": [{"role": "user", "content": "Sum it up.\n\nfile:///a.txt\nwords"}]}
