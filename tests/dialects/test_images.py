"""Pictures in two protocols: what is sent, what is read, and what is chosen."""

from __future__ import annotations

import email
import email.policy
import json
from typing import Any

import dashscope
import pytest
from dashscope.aigc.image_generation import ImageGeneration
from dashscope.api_entities.http_request import close_shared_sync_session
from doubles.sdk_requests import KEY, sent_by
from doubles.whole_answers import check_damage, recorded
from openai import AsyncOpenAI
from openai.types.image_generate_params import ImageGenerateParamsNonStreaming
from pydantic import TypeAdapter

from companion.dialects.contract import WireCall
from companion.dialects.form import FormPart, form_of
from companion.dialects.images import (
    ImageDialect,
    ImageTask,
    choose_image_dialect,
    image_dialects,
    register_image_dialect,
)
from companion.dialects.images.dashscope import DashScopeImages
from companion.dialects.images.openai import OpenAIImages
from companion.errors import (
    ModelError,
    NotRegistered,
    PatternError,
    ProviderFailed,
    Refused,
    Throttled,
    Unsupported,
    WireBroken,
)
from companion.model import Link
from companion.model.pictures import ImageAnswer, ImageRequest, MadeImage
from companion.stream import Blob, Usage

OPENAI, DASHSCOPE = OpenAIImages(), DashScopeImages()
DIALECTS: dict[str, ImageDialect] = {"openai": OPENAI, "dashscope": DASHSCOPE}
PNG = Blob("image/png", b"\x89PNG\r\n\x1a\n\r\n--boundary")
JPEG = Blob("image/jpeg", b"\xff\xd8\xff\xe0")
HARBOUR = "https://pictures.example/harbour.png"
BASE = "https://dashscope.aliyuncs.com/api/v1"
BEGUN = {"output": {"task_id": "t-1", "task_status": "PENDING"}, "request_id": "1"}


def parts_of(body: bytes, content_type: str) -> list[tuple[str, str, bytes]]:
    """Name, type and content of each part of a form."""
    message = email.message_from_bytes(
        b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body, policy=email.policy.HTTP
    )
    return sorted(
        (
            str(part.get_param("name", header="content-disposition")),
            part.get_content_type() if part.get_filename() else "",
            part.get_payload(decode=True),
        )
        for part in message.iter_parts()  # type: ignore[attr-defined]
    )


async def test_openai_gets_what_its_sdk_sends_for_a_picture_of_words() -> None:
    async def ask(url: str) -> None:
        async with AsyncOpenAI(base_url=f"{url}/v1", api_key=KEY, max_retries=0) as client:
            await client.images.generate(
                model="gpt-image-2",
                prompt="a harbour, 港口",
                n=2,
                size="1536x1024",
                quality="low",
                output_format="webp",
            )

    theirs = await sent_by(ask, recorded("images", "openai"))
    extra = {"quality": "low", "output_format": "webp"}
    request = ImageRequest("a harbour, 港口", n=2, size="1536x1024", model="gpt-image-2", extra_fields=extra)
    ours = OPENAI.encode(request, "https://api.openai.com/v1")

    assert json.loads(ours.body) == theirs.json
    assert (ours.method, ours.url) == (theirs.method, f"https://api.openai.com{theirs.path}")
    TypeAdapter(ImageGenerateParamsNonStreaming).validate_python(json.loads(ours.body))


@pytest.mark.parametrize("count", [1, 2])
async def test_openai_gets_what_its_sdk_sends_for_a_picture_of_pictures(count: int) -> None:
    images = [PNG, JPEG][:count]
    files = [("a.png", PNG.data, "image/png"), ("b.jpg", JPEG.data, "image/jpeg")][:count]

    async def ask(url: str) -> None:
        async with AsyncOpenAI(base_url=f"{url}/v1", api_key=KEY, max_retries=0) as client:
            await client.images.edit(
                model="gpt-image-2",
                prompt="closer, 更近",
                image=files[0] if count == 1 else files,
                mask=("mask.png", PNG.data, "image/png"),
                n=2,
                size="auto",
            )

    theirs = await sent_by(ask, recorded("images", "openai"))
    request = ImageRequest("closer, 更近", tuple(images), mask=PNG, n=2, size="auto", model="gpt-image-2")
    ours = OPENAI.encode(request, "https://api.openai.com/v1/images/generations")

    assert parts_of(ours.body, ours.headers["content-type"]) == parts_of(theirs.body, theirs.headers["content-type"])
    assert ours.url == f"https://api.openai.com{theirs.path}"


def test_nested_extra_fields_and_data_urls_go_into_a_form() -> None:
    url = "data:image/png;base64,iVBORw0KGgo="
    extra = {"svg": {"model": "m", "reasoning": {"effort": "low"}}, "moderation": None, "n": 1, "hd": True}
    ours = OPENAI.encode(ImageRequest("x", (Link("image/png", url),), extra_fields=extra), "https://h.example")
    assert parts_of(ours.body, ours.headers["content-type"]) == [
        ("hd", "", b"true"),
        ("image", "image/png", b"\x89PNG\r\n\x1a\n"),
        ("n", "", b"1"),
        ("prompt", "", b"x"),
        ("svg[model]", "", b"m"),
        ("svg[reasoning][effort]", "", b"low"),
    ]


def test_a_form_is_the_same_for_the_same_parts_and_its_names_cannot_break_it() -> None:
    parts = [FormPart('a"\r\nb', b"1"), FormPart("c", b"2", 'x"y.png', "image/png")]
    body, kind = form_of(parts)
    assert form_of(parts) == (body, kind)
    assert b'name="a%22%0D%0Ab"' in body
    assert b'filename="x%22y.png"' in body


@pytest.mark.parametrize(
    "request_",
    [
        ImageRequest("x", (Link("image/png", HARBOUR),)),
        ImageRequest("x", (Blob("image/tiff", b"II"),)),
        ImageRequest("x", (Link("image/png", "data:image/png,plain"),)),
        ImageRequest("x", mask=PNG),
        ImageRequest("x", seed=7),
        ImageRequest("x", negative_prompt="people"),
        ImageRequest("x", extra_fields={"n": float("nan")}),
    ],
    ids=["by address", "of another type", "a bad data URL", "a mask alone", "a seed", "a negative prompt", "no number"],
)
def test_what_openai_cannot_carry_is_refused_before_anything_is_sent(request_: ImageRequest) -> None:
    with pytest.raises(Unsupported):
        OPENAI.encode(request_, "https://h.example")


async def test_dashscope_gets_what_its_sdk_sends_for_a_picture_of_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(url: str) -> None:
        monkeypatch.setattr(dashscope, "base_http_api_url", f"{url}/api/v1")
        dashscope.ImageSynthesis.async_call(
            "wan2.2-t2i-flash", "a harbour", negative_prompt="people", n=2, size="1024*1024", seed=7,
            prompt_extend=False, api_key=KEY,
        )  # fmt: skip
        close_shared_sync_session()

    theirs = await sent_by(ask, BEGUN)
    request = ImageRequest(
        "a harbour", negative_prompt="people", n=2, size="1024x1024", seed=7, model="wan2.2-t2i-flash",
        extra_fields={"prompt_extend": False},
    )  # fmt: skip
    same(DASHSCOPE.encode(request, BASE), theirs)


async def test_dashscope_gets_what_its_sdk_sends_for_a_picture_of_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(url: str) -> None:
        monkeypatch.setattr(dashscope, "base_http_api_url", f"{url}/api/v1")
        dashscope.ImageSynthesis.async_call("wan2.5-i2i-preview", "closer", images=[HARBOUR], n=1, api_key=KEY)
        close_shared_sync_session()

    theirs = await sent_by(ask, BEGUN)
    same(DASHSCOPE.encode(ImageRequest("closer", (Link("", HARBOUR),), n=1, model="wan2.5-i2i-preview"), BASE), theirs)


async def test_dashscope_gets_what_its_sdk_sends_for_an_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(url: str) -> None:
        monkeypatch.setattr(dashscope, "base_http_api_url", f"{url}/api/v1")
        dashscope.ImageSynthesis.async_call(
            "wanx2.1-imageedit", "a red boat", function="description_edit_with_mask", base_image_url=HARBOUR,
            mask_image_url=f"{HARBOUR}?mask", api_key=KEY,
        )  # fmt: skip
        close_shared_sync_session()

    theirs = await sent_by(ask, BEGUN)
    request = ImageRequest("a red boat", (Link("", HARBOUR),), Link("", f"{HARBOUR}?mask"), model="wanx2.1-imageedit")
    same(DASHSCOPE.encode(request, BASE), theirs)
    other = DASHSCOPE.encode(
        ImageRequest("x", (PNG,), model="wanx2.1-imageedit", extra_fields={"function": "doodle"}), BASE
    )
    assert json.loads(other.body)["input"]["function"] == "doodle"
    assert json.loads(other.body)["input"]["base_image_url"].startswith("data:image/png;base64,iVBOR")


@pytest.mark.parametrize("model", ["wan2.6-t2i", "wan2.5-i2i-preview", "wanx2.1-imageedit"])
def test_dashscope_refuses_a_data_url_that_nobody_can_read(model: str) -> None:
    for url in ("data:image/png;base64,?", "data:image/png,plain"):
        with pytest.raises(Unsupported):
            DASHSCOPE.encode(ImageRequest("x", (Link("image/png", url),), model=model), BASE)


async def test_dashscope_gets_what_its_sdk_sends_in_a_conversation(monkeypatch: pytest.MonkeyPatch) -> None:
    content = [{"text": "closer"}, {"image": HARBOUR}]

    def ask(url: str) -> None:
        monkeypatch.setattr(dashscope, "base_http_api_url", f"{url}/api/v1")
        ImageGeneration.async_call(
            "wan2.6-image", api_key=KEY, messages=[{"role": "user", "content": content}], n=1, negative_prompt="people"
        )
        close_shared_sync_session()

    theirs = await sent_by(ask, BEGUN)
    request = ImageRequest("closer", (Link("", HARBOUR),), n=1, negative_prompt="people", model="wan2.6-image")
    # The SDK's own argument slips into what it sends; the reference does not know it.
    same(DASHSCOPE.encode(request, BASE), theirs, slips=("is_async",))


@pytest.mark.parametrize(
    "model", ["qwen-image-2.0-pro", "qwen-image-max", "qwen-image-edit-plus", "qwen-image", "z-image-turbo"]
)
async def test_dashscope_gets_what_its_sdk_sends_to_models_that_answer_at_once(
    monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    content = [{"image": HARBOUR}, {"text": "closer"}]

    def ask(url: str) -> None:
        monkeypatch.setattr(dashscope, "base_http_api_url", f"{url}/api/v1")
        dashscope.MultiModalConversation.call(
            model, [{"role": "user", "content": content}], api_key=KEY, n=1, negative_prompt="people", size="1536*1024"
        )
        close_shared_sync_session()

    theirs = await sent_by(ask, recorded("images", "dashscope-conversation"))
    request = ImageRequest("closer", (Link("", HARBOUR),), n=1, negative_prompt="people", size="1536x1024", model=model)
    ours = DASHSCOPE.encode(request, BASE)

    assert json.loads(ours.body) == theirs.json
    assert (ours.method, ours.url) == (theirs.method, f"https://dashscope.aliyuncs.com{theirs.path}")
    assert "X-DashScope-Async" not in ours.headers
    assert "x-dashscope-async" not in theirs.headers


async def test_dashscope_is_asked_for_a_task_as_its_sdk_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    task = ImageTask("t-1", "PENDING")

    async def sent(ask: Any) -> Any:
        def with_url(url: str) -> None:
            monkeypatch.setattr(dashscope, "base_http_api_url", f"{url}/api/v1")
            ask()
            close_shared_sync_session()

        return await sent_by(with_url, BEGUN)

    fetched = await sent(lambda: dashscope.ImageSynthesis.fetch("t-1", api_key=KEY))
    cancelled = await sent(lambda: dashscope.ImageSynthesis.cancel("t-1", api_key=KEY))

    assert DASHSCOPE.poll(task, BASE) == WireCall("GET", f"https://dashscope.aliyuncs.com{fetched.path}")
    assert fetched.method == "GET"
    assert DASHSCOPE.cancel(task, BASE) == WireCall("POST", f"https://dashscope.aliyuncs.com{cancelled.path}")
    assert (cancelled.method, cancelled.body) == ("POST", b"")
    whole = f"{BASE}/services/aigc/text2image/image-synthesis"
    assert DASHSCOPE.poll(task, whole) == DASHSCOPE.poll(task, BASE)
    assert DASHSCOPE.poll(ImageTask("../a b"), BASE).url == f"{BASE}/tasks/..%2Fa%20b"


def same(ours: WireCall, theirs: Any, slips: tuple[str, ...] = ()) -> None:
    body = theirs.json
    assert all(body["parameters"].pop(name) for name in slips)
    assert json.loads(ours.body) == body
    assert (ours.method, ours.url) == (theirs.method, f"https://dashscope.aliyuncs.com{theirs.path}")
    assert theirs.headers["x-dashscope-async"] == ours.headers["X-DashScope-Async"]


def test_openai_answers_with_bytes_or_addresses() -> None:
    answer = OPENAI.read(recorded("images", "openai"))
    assert answer == ImageAnswer(
        (
            MadeImage("", b"RIFF\0\0\0\0WEBP", "image/webp"),
            MadeImage("https://pictures.example/2.webp", b"", "image/webp", "", "a quiet harbour at dawn"),
        ),
        Usage(50, 60),
    )
    assert OPENAI.cancel(ImageTask("x"), "https://h.example") is None
    with pytest.raises(Unsupported):
        OPENAI.poll(ImageTask("x"), "https://h.example")


def test_dashscope_answers_with_a_task_and_then_with_pictures() -> None:
    task = "0385dc79-5ff8-4d82-bcb6-e6a8e3a1b2c4"
    assert DASHSCOPE.read(recorded("images", "dashscope-begun")) == ImageTask(task, "PENDING")
    made = DASHSCOPE.read(recorded("images", "dashscope-made"))
    assert isinstance(made, ImageAnswer)
    assert [image.url[-5:] for image in made.images] == ["a.png", "b.png"]
    assert made.task == task
    talked = DASHSCOPE.read(recorded("images", "dashscope-conversation"))
    assert isinstance(talked, ImageAnswer)
    assert talked.content == Link("image/png", "https://pictures.example/c.png")


@pytest.mark.parametrize(
    ("output", "error"),
    [
        ({"task_status": "FAILED", "code": "InvalidParameter", "message": "the size"}, Refused),
        ({"task_status": "FAILED", "code": "InternalError.Algo", "message": "broke"}, ProviderFailed),
        ({"task_status": "FAILED", "code": "Throttling", "message": "busy"}, Throttled),
        ({"task_status": "FAILED", "code": "DataInspectionFailed", "message": "not that"}, Refused),
        ({"task_status": "CANCELED"}, Refused),
        ({"task_status": "UNKNOWN"}, Refused),
        ({"task_status": "SLEEPING"}, WireBroken),
    ],
)
def test_a_task_that_ended_badly_says_so(output: dict[str, str], error: type[ModelError]) -> None:
    task = DASHSCOPE.read({"output": {"task_id": "t-1", **output}})
    assert isinstance(task, ImageTask)
    assert type(task.error) is error
    assert output.get("message", "") in str(task.error)


def test_where_every_picture_failed_the_first_says_why() -> None:
    rows = [{"code": "DataInspectionFailed", "message": "not that"}, {"code": "InternalError", "message": "broke"}]
    with pytest.raises(Refused, match="not that"):
        DASHSCOPE.read({"output": {"task_id": "t", "task_status": "SUCCEEDED", "results": rows}})
    for answer in ({"output": {"task_status": "SUCCEEDED"}}, {"output": {}}, {}):
        with pytest.raises(WireBroken):
            DASHSCOPE.read(answer)


@pytest.mark.parametrize(
    ("name", "recording"),
    [
        ("openai", "openai"),
        *(("dashscope", f"dashscope-{kind}") for kind in ("begun", "made", "failed", "conversation")),
    ],
)
def test_a_damaged_answer_is_an_error_of_ours_or_still_an_answer(name: str, recording: str) -> None:
    check_damage(recorded("images", recording), DIALECTS[name].read)


@pytest.mark.parametrize(
    ("standard", "provider", "url", "name"),
    [
        ("", "", "", "openai"),
        ("", "", "https://h.example/v1/images/generations", "openai"),
        ("", "dashscope", "", "dashscope"),
        ("", "", f"{BASE}/services/aigc/text2image/image-synthesis", "dashscope"),
        ("openai", "dashscope", f"{BASE}/services/aigc/text2image/image-synthesis", "openai"),
    ],
)
def test_a_dialect_is_chosen_by_standard_then_provider_then_address(
    standard: str, provider: str, url: str, name: str
) -> None:
    assert choose_image_dialect(standard, provider, url).name == name


def test_dialects_stand_by_priority_and_none_can_be_taken_twice() -> None:
    assert image_dialects() == ("dashscope", "openai")
    with pytest.raises(PatternError, match="is taken"):
        register_image_dialect(OpenAIImages())
    with pytest.raises(NotRegistered):
        choose_image_dialect("dall-e")
