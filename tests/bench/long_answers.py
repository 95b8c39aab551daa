"""Long streamed answers in every dialect, made of words and of what each provider puts around them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator

WORDS = "the sky is blue because short waves are scattered more than long ones – 天空是蓝色的 🙂".split()


def words(count: int) -> list[str]:
    """So many pieces of text, as models make them; the same each time."""
    dice = random.Random(18)
    return [f"{dice.choice(WORDS)} " for _ in range(count)]


def _json(fields: object) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _unnamed(events: Iterable[object]) -> bytes:
    return "".join(f"data: {event if isinstance(event, str) else _json(event)}\n\n" for event in events).encode()


def _named(events: Iterable[dict], key: str) -> bytes:
    return "".join(f"event: {event[key]}\ndata: {_json(event)}\n\n" for event in events).encode()


def openai_completions(said: list[str]) -> bytes:
    def chunk(delta: dict, reason: str | None = None) -> dict:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1795000000,
            "model": "gpt-5-mini",
            "service_tier": "default",
            "system_fingerprint": None,
            "choices": [choice],
            "obfuscation": "x9Kq2",
        }

    usage = {"prompt_tokens": 20, "completion_tokens": len(said), "total_tokens": 20 + len(said)}
    first = chunk({"role": "assistant", "content": "", "refusal": None})
    last = {**chunk({}), "choices": [], "usage": usage}
    return _unnamed([first, *(chunk({"content": word}) for word in said), chunk({}, "stop"), last, "[DONE]"])


def openai_responses(said: list[str]) -> bytes:
    text = "".join(said)
    done = {"type": "output_text", "text": text, "annotations": []}
    message = {"id": "msg_1", "type": "message", "status": "completed", "role": "assistant", "content": [done]}
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}

    def response(status: str, **more: object) -> dict:
        common = {"id": "resp_1", "object": "response", "created_at": 1790000000, "model": "gpt-5-mini"}
        return {**common, "status": status, "output": [], "tools": [], "tool_choice": "auto", **more}

    def events() -> Iterator[dict]:
        yield {"type": "response.created", "response": response("in_progress")}
        yield {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": {**message, "status": "in_progress", "content": []},
        }
        yield {"type": "response.content_part.added", **place, "part": {**done, "text": ""}}
        for word in said:
            delta = {"delta": word, "logprobs": [], "obfuscation": "x9Kq2"}
            yield {"type": "response.output_text.delta", **place, **delta}
        yield {"type": "response.output_text.done", **place, "text": text, "logprobs": []}
        yield {"type": "response.content_part.done", **place, "part": done}
        yield {"type": "response.output_item.done", "output_index": 0, "item": message}
        usage = {
            "input_tokens": 20,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": len(said),
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 20 + len(said),
        }
        yield {"type": "response.completed", "response": response("completed", output=[message], usage=usage)}

    return _named(({**event, "sequence_number": number} for number, event in enumerate(events())), "type")


def anthropic(said: list[str]) -> bytes:
    usage = {"input_tokens": 20, "output_tokens": 1}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-opus-5", "content": []}

    def events() -> Iterator[dict]:
        yield {
            "type": "message_start",
            "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage},
        }
        yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
        yield {"type": "ping"}
        for word in said:
            yield {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": word}}
        yield {"type": "content_block_stop", "index": 0}
        stop = {"stop_reason": "end_turn", "stop_sequence": None}
        yield {"type": "message_delta", "delta": stop, "usage": {"output_tokens": len(said)}}
        yield {"type": "message_stop"}

    return _named(events(), "type")


def gemini(said: list[str]) -> bytes:
    def event(word: str, number: int) -> dict:
        usage = {
            "promptTokenCount": 20,
            "candidatesTokenCount": number,
            "totalTokenCount": 20 + number,
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 20}],
        }
        candidate = {"content": {"parts": [{"text": word}], "role": "model"}, "index": 0}
        if number == len(said):
            candidate["finishReason"] = "STOP"
        return {
            "candidates": [candidate],
            "usageMetadata": usage,
            "modelVersion": "gemini-3-flash-preview",
            "responseId": "Vk0raYfhFvCJ",
        }

    return _unnamed(event(word, number) for number, word in enumerate(said, 1))


def google_interactions(said: list[str]) -> bytes:
    common = {"id": "v1_1", "object": "interaction", "model": "gemini-3-flash-preview"}
    usage = {"total_input_tokens": 20, "total_output_tokens": len(said), "total_tokens": 20 + len(said)}

    def events() -> Iterator[dict]:
        yield {"interaction": {**common, "status": "in_progress"}, "event_type": "interaction.created"}
        yield {"index": 0, "step": {"type": "model_output"}, "event_type": "step.start"}
        for word in said:
            yield {"index": 0, "delta": {"type": "text", "text": word}, "event_type": "step.delta"}
        yield {"index": 0, "event_type": "step.stop"}
        yield {
            "interaction": {**common, "status": "completed", "usage": usage},
            "event_type": "interaction.completed",
        }

    return _named(events(), "event_type")


def ollama(said: list[str]) -> bytes:
    common = {"model": "qwen3:4b", "created_at": "2026-11-30T10:00:00.123456Z"}
    lines = [
        *({**common, "message": {"role": "assistant", "content": word}, "done": False} for word in said),
        {
            **common,
            "message": {"role": "assistant", "content": ""},
            "done": True,
            "done_reason": "stop",
            "total_duration": 1,
            "prompt_eval_count": 20,
            "eval_count": len(said),
        },
    ]
    return "".join(f"{_json(line)}\n" for line in lines).encode()


def dashscope(said: list[str]) -> bytes:
    def event(number: int, word: str, reason: str = "null") -> str:
        choice = {"message": {"role": "assistant", "content": word}, "finish_reason": reason}
        usage = {"input_tokens": 20, "output_tokens": number, "total_tokens": 20 + number}
        fields = {"output": {"choices": [choice]}, "usage": usage, "request_id": "5f1c9f2e-0d7c-9c55"}
        return f"id:{number}\nevent:result\n:HTTP_STATUS/200\ndata:{_json(fields)}\n\n"

    events = [event(number, word) for number, word in enumerate(said, 1)]
    return "".join([*events, event(len(said), "", "stop")]).encode()


LONG: dict[str, Callable[[list[str]], bytes]] = {
    "dashscope": dashscope,
    "ollama": ollama,
    "google-interactions": google_interactions,
    "gemini": gemini,
    "anthropic": anthropic,
    "openai-responses": openai_responses,
    "openai-completions": openai_completions,
}
"""A streamed answer of these pieces of text, by dialect."""
