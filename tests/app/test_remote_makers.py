"""Configuration files make models of providers: asked as they say, paid for, and told of."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from doubles.provider_folder import QUESTION, WORDS, count_as_elsewhere, it, provider_folder, words_of
from doubles.provider_server import Asked, Reply
from doubles.realtime_server import RealtimeServer, Sound
from doubles.realtime_talk import typed

from companion.app.events import WentOut
from companion.errors import (
    ContextTooLong,
    NotRegistered,
    OverBudget,
    ProviderFailed,
    StreamFailed,
    Unreachable,
    Unsupported,
)
from companion.insight.labeler import LabelInput
from companion.model import ChatRole, Contents, FuncTool, Message, ModelContext, ModelParams, SystemPrompt
from companion.model.chat import ChatModel
from companion.model.content import image
from companion.stream import Blob, MessageChunk, Role, StreamCtrl, Text, begin_of_stream, end_of_stream, pcm, stream_of

RECORDINGS = Path(__file__).parents[1] / "dialects" / "recordings"
TOOL = FuncTool("pick", "Picks one.", {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
REFUSED = Reply.json({"error": {"message": "out of order"}}, status=503)


@pytest.fixture
def _elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    count_as_elsewhere(monkeypatch)


@pytest.mark.parametrize(
    ("schema", "recording", "path", "header"),
    [
        ("openai/chat/v1", "openai-completions/words.sse", "/v1/chat/completions", "authorization"),
        ("openai/completions", "openai-completions/words.sse", "/v1/chat/completions", "authorization"),
        ("openai/responses/v1", "openai-responses/words.sse", "/v1/responses", "authorization"),
        ("anthropic/messages/v1", "anthropic/words.sse", "/v1/messages", "x-api-key"),
        ("anthropic/chat/v1", "anthropic/words.sse", "/v1/messages", "x-api-key"),
        ("gemini/chat/v1", "gemini/words.sse", "/v1/models/gpt-test:streamGenerateContent?alt=sse", "x-goog-api-key"),
        ("google/chat/v1", "gemini/words.sse", "/v1/models/gpt-test:streamGenerateContent?alt=sse", "x-goog-api-key"),
        ("google/interactions/v1", "google-interactions/steps.sse", "/v1/interactions", "x-goog-api-key"),
        ("ollama/chat/v1", "ollama/words.ndjson", "/v1/api/chat", "authorization"),
        ("dashscope/chat/v1", "dashscope/words.sse", "/aigc/text-generation/generation", "authorization"),
        ("groq/chat/v1", "openai-completions/words.sse", "/v1/chat/completions", "authorization"),
    ],
)
async def test_each_schema_is_asked_in_its_protocol(
    tmp_path: Path, schema: str, recording: str, path: str, header: str
) -> None:
    kind = "text/event-stream" if recording.endswith("sse") else "application/x-ndjson"
    answer = Reply(((RECORDINGS / recording).read_bytes(),), content_type=kind)
    async with provider_folder(tmp_path, answer) as home:
        report = await home.load(schema=schema, api_key="none")

        assert report.names == ("it",)
        assert home.server.connections == 0
        assert await home.say()
        (asked,) = home.server.asked
        assert asked.path.endswith(path)
        assert asked.headers[header].removeprefix("Bearer ") == "none"


@pytest.mark.usefixtures("_elsewhere")
async def test_loading_connects_to_nobody_and_the_first_question_is_told_and_paid_for(tmp_path: Path) -> None:
    async with provider_folder(tmp_path) as home:
        await home.load(default_params={"read_price": 1, "write_price": 100})
        assert (home.server.connections, home.told, home.spent) == (0, [], {})

        assert await home.say() == "From away."

        (asked,) = home.server.asked
        host = f"127.0.0.1:{home.server.port}"
        assert home.went_out == [WentOut(host, host, len(asked.body), ("text",))]
        assert home.spent == {f"language model: {host}/gpt-test": pytest.approx((10 * 1 + 4 * 100) / 1e6)}


async def test_what_stays_on_this_machine_costs_nothing_and_is_nothing_to_tell(tmp_path: Path) -> None:
    async with provider_folder(tmp_path, monthly_budget=0) as home:
        await home.load()
        assert await home.say() == "From away."
        assert (home.told, home.spent) == ([], {})


@pytest.mark.usefixtures("_elsewhere")
async def test_above_the_budget_and_above_the_size_of_a_call_nothing_is_sent(tmp_path: Path) -> None:
    async with provider_folder(tmp_path, monthly_budget=0.001) as home:
        small = {**it()[0], "name": "small"}
        await home.load(models=[*it(), small], default_params={"call_tokens": 10_000})
        with pytest.raises(OverBudget):
            await home.say()
        await home.load(models=it(), default_params={"call_tokens": 17, "read_price": 0, "write_price": 0})
        with pytest.raises(ContextTooLong):
            await home.say()
        assert home.server.connections == 0


@pytest.mark.usefixtures("_elsewhere")
async def test_a_provider_that_fails_again_and_again_is_left_alone_for_all_its_models(tmp_path: Path) -> None:
    async with provider_folder(tmp_path, REFUSED) as home:
        await home.load(models=[*it(), {"name": "other", "model": "m"}])
        for _ in range(5):
            with pytest.raises(ProviderFailed):
                await home.say()
        with pytest.raises(Unreachable, match="left alone"):
            await home.say("other")
        assert len(home.server.asked) == 5
        assert set(home.spent.values()) == {0.0}


async def test_a_name_with_a_plus_asks_for_the_model_of_its_entry(tmp_path: Path) -> None:
    async with provider_folder(tmp_path) as home:
        await home.load(models=[{"name": "gpt/+", "model": "gpt-test"}])
        await home.say("gpt/anything")
        assert home.server.asked[0].json["model"] == "gpt-test"


async def test_parameters_and_extra_fields_go_with_each_question(tmp_path: Path) -> None:
    def answer(asked: Asked) -> Reply:
        wanted = '{"n": 3}' if "response_format" in asked.json else "Words."
        return Reply.sse({"choices": [{"index": 0, "delta": {"content": wanted}, "finish_reason": "stop"}]}, "[DONE]")

    model = {
        "generate_params": {"temperature": 0, "max_tokens": 9, "extra_fields": {"user": "a"}},
        "invoke_params": {"top_p": 0.5},
        "extra_fields": {"user": "b", "seed_of_day": 1},
    }
    async with provider_folder(tmp_path, by=answer) as home:
        await home.load(models=it(**model))
        await home.say(context=ModelContext(messages=QUESTION.messages, params=ModelParams(max_tokens=5)))
        _, call = await home.muxes.generators.invoke(QUESTION, TOOL, model="it")

        said, called = (asked.json for asked in home.server.asked)
        assert (said["temperature"], said["max_tokens"], said["user"], said["seed_of_day"]) == (0, 5, "a", 1)
        assert "top_p" not in said
        assert json.loads(call.arguments) == {"n": 3}
        assert (called["top_p"], called["user"]) == (0.5, "b")


@pytest.mark.parametrize(
    ("says", "asked_by"),
    [
        ({}, "response_format"),
        ({"support_json_output": True}, "response_format"),
        ({"support_json_output": False}, "tools"),
        ({"support_json_output": False, "support_tool_calls": True}, "tools"),
        ({"support_json_output": False, "support_tool_calls": False}, "words"),
    ],
)
async def test_a_form_is_asked_for_as_the_entry_says(tmp_path: Path, says: dict[str, bool], asked_by: str) -> None:
    def answer(asked: Asked) -> Reply:
        call = {"index": 0, "id": "c", "type": "function", "function": {"name": "pick", "arguments": '{"n": 3}'}}
        delta = {"tool_calls": [call]} if "tools" in asked.json else {"content": '{"n": 3}'}
        why = "tool_calls" if "tools" in asked.json else "stop"
        return Reply.sse({"choices": [{"index": 0, "delta": delta, "finish_reason": why}]}, "[DONE]")

    async with provider_folder(tmp_path, by=answer) as home:
        await home.load(models=it(**says))
        _, call = await home.muxes.generators.invoke(QUESTION, TOOL, model="it")

        assert json.loads(call.arguments) == {"n": 3}
        (asked,) = home.server.asked
        assert {"response_format", "tools"} & asked.json.keys() == {asked_by} - {"words"}


async def test_what_a_model_is_said_not_to_take_is_not_sent(tmp_path: Path) -> None:
    picture = Message(ChatRole.USER, Contents((Text("What is it?"), image(b"\x89PNG", "image/png"))))
    async with provider_folder(tmp_path) as home:
        await home.load(models=it(text_only=True, support_tool_calls=False))
        with pytest.raises(Unsupported, match="takes words only, no image"):
            await home.say(context=ModelContext(messages=(picture,)))
        with pytest.raises(Unsupported, match="call no tools"):
            await home.say(context=ModelContext(messages=QUESTION.messages, tools=(TOOL,)))
        assert home.server.connections == 0


@pytest.mark.parametrize(("role", "came"), [("developer", "developer"), ("system", "system"), (None, "system")])
async def test_system_texts_come_from_whom_the_entry_says(tmp_path: Path, role: str | None, came: str) -> None:
    async with provider_folder(tmp_path) as home:
        await home.load(models=it(prompt_role=role))
        await home.say(context=ModelContext((SystemPrompt("p", "Be short."),), QUESTION.messages))
        assert [said["role"] for said in home.server.asked[0].json["messages"]] == [came, "user"]


async def test_a_chat_model_over_an_entry_asks_with_its_parameters_and_tools(tmp_path: Path) -> None:
    async with provider_folder(tmp_path) as home:
        await home.load(models=it(generate_params={"temperature": 0}))
        found: Any = home.muxes.generators.find("it").value
        answer = await ChatModel(found, tools=[TOOL]).prompt("What is it?").call_stream()
        assert answer.text == "From away."
        asked = home.server.asked[0].json
        assert (asked["temperature"], asked["tools"][0]["function"]["name"]) == (0, "pick")


@pytest.mark.usefixtures("_elsewhere")
async def test_a_recogniser_and_a_voice_are_asked_and_paid_for(tmp_path: Path) -> None:
    sound = pcm(b"\x01\x00" * 2400, 24_000)

    def answer(asked: Asked) -> Reply:
        is_sound = asked.path == "/v1/audio/speech"
        return Reply((sound.data,), content_type="audio/pcm") if is_sound else Reply.json({"text": "heard away"})

    async with provider_folder(tmp_path, by=answer) as home:
        home.write("ears.json", schema="openai/transcriptions/v1", type="asr", default_params={"minute_price": 60})
        voices = [{"name": "says", "voice_id": "coral"}]
        speech = {"schema": "openai/speech/v1", "type": "tts", "model": "tts-test", "voices": voices, "models": None}
        calm = {"instructions": "Calmly.\nSlowly.", "speed": 1.5, "speech_price": 1000}
        await home.load(**speech, default_params=calm)

        assert await words_of(await home.muxes.transformers.transform("it", spoken())) == "heard away"
        said = await home.muxes.transformers.transform("says", written("Good day."))
        assert [chunk.part async for chunk in said if isinstance(chunk.part, Blob) and chunk.part.data] == [sound]

        body = home.server.asked[1].json
        assert (body["model"], body["voice"], body["speed"]) == ("tts-test", "coral", 1.5)
        assert body["instructions"] == "Calmly.\nSlowly."
        assert [out.kinds for out in home.went_out] == [("audio",), ("text",)]
        heard, spoke = sorted(home.spent.items())
        assert (heard[0].partition(":")[0], heard[1]) == ("recogniser", pytest.approx(1.0, rel=0.1))
        assert (spoke[0].partition(":")[0], spoke[1]) == ("voice", pytest.approx(9 * 1000 / 1e6))


@pytest.mark.usefixtures("_elsewhere")
async def test_a_talk_is_paid_for_answer_by_answer(tmp_path: Path) -> None:
    usage = {"input_tokens": 1000, "output_tokens": 100}
    async with RealtimeServer([("Hello.", Sound(20))], usage=usage) as there, provider_folder(tmp_path) as home:
        prices = {"read_price": 10, "write_price": 100, "instructions": "Be short.", "turns": "user"}
        await home.load(
            schema="openai/realtime/v1",
            type="realtime",
            base_url=there.url.replace("http", "ws"),
            models=it(voice="marin", generate_params={"max_tokens": 50}),
            default_params=prices,
        )
        assert there.lines == 0
        source = stream_of([*typed("u", "Hi."), *typed("v", "And?")])
        said = await words_of(await home.muxes.transformers.transform("it", source))

        assert said.endswith("Hello.")
        (update,) = there.sent("session.update")
        assert (update["session"]["instructions"], update["session"]["max_output_tokens"]) == ("Be short.", 50)
        assert update["session"]["audio"]["output"]["voice"] == "marin"
        answers = len(there.sent("response.create"))
        assert list(home.spent.values()) == [pytest.approx(answers * (1000 * 10 + 100 * 100) / 1e6)]
        assert {out.host for out in home.went_out} == {f"127.0.0.1:{there.port}"}


@pytest.mark.usefixtures("_elsewhere")
async def test_a_talk_above_the_budget_has_no_line(tmp_path: Path) -> None:
    async with RealtimeServer() as there, provider_folder(tmp_path, monthly_budget=0) as home:
        await home.load(schema="openai/realtime/v1", type="realtime", base_url=there.url)
        with pytest.raises(StreamFailed, match="may cost"):
            await words_of(await home.muxes.transformers.transform("it", stream_of(typed("u", "Hi."))))
        assert there.lines == 0


async def test_an_answer_goes_on_while_its_model_is_replaced(tmp_path: Path) -> None:
    goes_on = asyncio.Event()
    slow = Reply((WORDS.pieces[0], goes_on, *WORDS.pieces[1:]))
    async with provider_folder(tmp_path, slow, WORDS) as home:
        await home.load()
        running = await home.muxes.generators.generate_stream(QUESTION, model="it")
        assert (await running.next()).is_begin
        report = await home.load(models=it(generate_params={"temperature": 0}))
        assert report.made == 1
        assert await home.say() == "From away."
        goes_on.set()
        assert await words_of(running) == "From away."
        assert [asked.json.get("temperature") for asked in home.server.asked] == [None, 0]


async def test_closing_the_folder_gives_back_its_connections(tmp_path: Path) -> None:
    stays = Reply((WORDS.pieces[0], asyncio.Event()))
    async with provider_folder(tmp_path, stays) as home:
        await home.load()
        running = await home.muxes.generators.generate_stream(QUESTION, model="it")
        await running.next()
        await home.loader.close()
        await home.server.until(lambda server: server.cut_off == 1)
        await running.close()
        with pytest.raises(NotRegistered):
            await home.say()


async def test_a_labeler_asks_the_provider_by_the_name_of_its_generator(tmp_path: Path) -> None:
    found = '{"matches": [{"label": "pet", "score": 1}]}'
    answer = Reply.sse({"choices": [{"index": 0, "delta": {"content": found}, "finish_reason": "stop"}]}, "[DONE]")
    async with provider_folder(tmp_path, answer) as home:
        labeler = "schema: genx/labeler/v1\ntype: labeler\nmodels: [{name: labels, model: it}]\n"
        (home.folder / "labels.yaml").write_text(labeler)
        await home.load()
        result = await home.muxes.labelers.process("labels", LabelInput("my cat", ("pet", "car")))
        assert [match.label for match in result.matches] == ["pet"]


async def test_where_nobody_can_tell_what_was_spent_only_models_of_providers_are_left_out(tmp_path: Path) -> None:
    async with provider_folder(tmp_path) as home:
        (home.home / "spent.json").write_text("?")
        (home.folder / "l.yaml").write_text("schema: genx/labeler\ntype: labeler\nmodels: [{name: l, model: it}]\n")
        report = await home.load()
        assert report.names == ("l",)
        assert "what was spent cannot be read" in report.left_out[0].reason
        (home.home / "spent.json").unlink()
        assert (await home.loader.load()).names == ("it", "l")


def spoken() -> Any:
    """A second of sound."""
    loud = pcm((b"\x00\x40" * 8000) + (b"\x00\xc0" * 8000), 16_000)
    piece = MessageChunk(Role.USER, part=loud, ctrl=StreamCtrl("u"))
    last = end_of_stream("u", role=Role.USER, part=pcm(b"", 16_000))
    return stream_of([begin_of_stream("u", role=Role.USER), piece, last, end_of_stream("u", role=Role.USER)])


def written(text: str) -> Any:
    piece = MessageChunk(Role.MODEL, part=Text(text, "en"), ctrl=StreamCtrl("s"))
    last = end_of_stream("s", role=Role.MODEL, part=Text(""))
    return stream_of([begin_of_stream("s", role=Role.MODEL), piece, last, end_of_stream("s", role=Role.MODEL)])
