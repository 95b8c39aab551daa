"""DashScope's pictures: a task is begun, asked for until it has finished, and can be given up while it waits.

Sources: Alibaba Cloud Model Studio, "Text-to-image", "Image editing" and "Asynchronous task management"; as read in its
Python SDK 2.0. Four services make pictures; which one is told by the name of the model. Three begin a task, the fourth
answers with the pictures.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from companion.dialects.contract import WireCall
from companion.dialects.dashscope_faults import dashscope_fault
from companion.dialects.dashscope_service import output_of, service_url, task_url
from companion.dialects.fields import Fields, as_fields, broken, count, inner, rows, text
from companion.dialects.images.contract import ImageTask
from companion.dialects.media import held_by, url_of
from companion.errors import ModelError, Refused, WireBroken
from companion.model.options import JsonValue
from companion.model.pictures import ImageAnswer, ImageRequest, MadeImage
from companion.stream import Usage

_PLACE = "answer with pictures"
_TEXT, _IMAGE = "aigc/text2image/image-synthesis", "aigc/image2image/image-synthesis"
_MESSAGES = "aigc/image-generation/generation"
_AT_ONCE = "aigc/multimodal-generation/generation"
_WAITING = ("PENDING", "RUNNING", "SUSPENDED")
_LATER = {"X-DashScope-Async": "enable"}
_INPUTS = ("function", "ref_img", "sketch_image_url", "base_image_url", "mask_image_url", "images")
"""Extra fields that belong to the input; all others are parameters."""


class DashScopeImages:
    """Sizes may be written ``1024x1024`` as elsewhere; here they are sent as ``1024*1024``."""

    name = "dashscope"
    begins_tasks = True

    def encode(self, request: ImageRequest, base_url: str) -> WireCall:
        service = _service(request)
        is_said = service in (_MESSAGES, _AT_ONCE)
        body: dict[str, JsonValue] = {
            "model": request.model,
            "input": _conversation(request, service) if is_said else _input(request),
            "parameters": _parameters(request, has_input=is_said),
        }
        headers = {} if service == _AT_ONCE else _LATER
        return WireCall.of_json(service_url(base_url, service), body, headers)

    def read(self, answer: JsonValue) -> ImageAnswer | ImageTask:
        output = output_of(answer, _PLACE)
        task, state = text(output, "task_id", _PLACE), text(output, "task_status", _PLACE)
        if state in _WAITING:
            if not task:
                raise broken(_PLACE, "a task has no id")
            return ImageTask(task, state)
        if state not in ("SUCCEEDED", ""):
            return ImageTask(task, state, _ended(output, state))
        images = _images(output)
        if not images:
            raise _none(output)
        usage = inner(as_fields(answer, _PLACE), "usage", _PLACE)
        return ImageAnswer(
            images, Usage(*(count(usage, name, _PLACE) for name in ("input_tokens", "output_tokens"))), task
        )

    def poll(self, task: ImageTask, base_url: str) -> WireCall:
        return WireCall("GET", task_url(base_url, quote(task.id, safe="")))

    def cancel(self, task: ImageTask, base_url: str) -> WireCall | None:
        """Only a task that waits can be given up; one that runs says so, and goes on."""
        return WireCall("POST", task_url(base_url, quote(task.id, safe=""), "cancel"))

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        return dashscope_fault(status, answer)


def _service(request: ImageRequest) -> str:
    model = request.model
    if model.startswith(("qwen-image", "z-image")):
        return _AT_ONCE
    if (version := re.match(r"wan(\d+)\.(\d+)", model)) and (int(version[1]), int(version[2])) >= (2, 6):
        return _MESSAGES
    return _IMAGE if "imageedit" in model or "wan2.5-i2i" in model else _TEXT


def _input(request: ImageRequest) -> dict[str, JsonValue]:
    given: dict[str, JsonValue] = {"prompt": request.prompt}
    if request.negative_prompt:
        given["negative_prompt"] = request.negative_prompt
    images = [url_of(held_by(image)) for image in request.images]
    if "imageedit" in request.model:
        given.update(_edit(request, images))
    elif images:
        given["images"] = images
    return {**given, **{name: value for name, value in request.extra_fields.items() if name in _INPUTS}}


def _edit(request: ImageRequest, images: list[str]) -> dict[str, JsonValue]:
    """The older way to change a picture, which names what is to be done."""
    has_mask = request.mask is not None
    edit: dict[str, JsonValue] = {"function": "description_edit_with_mask" if has_mask else "description_edit"}
    if images:
        edit["base_image_url"] = images[0]
    if request.mask is not None:
        edit["mask_image_url"] = url_of(held_by(request.mask))
    return edit


def _conversation(request: ImageRequest, service: str) -> dict[str, JsonValue]:
    """The words before the pictures or behind them, as the reference of the service has it."""
    pictures: list[JsonValue] = [{"image": url_of(held_by(image))} for image in request.images]
    words: list[JsonValue] = [{"text": request.prompt}]
    content = [*pictures, *words] if service == _AT_ONCE else [*words, *pictures]
    return {"messages": [{"role": "user", "content": content}]}


def _parameters(request: ImageRequest, *, has_input: bool) -> dict[str, JsonValue]:
    given: dict[str, JsonValue] = {}
    if has_input and request.negative_prompt:
        given["negative_prompt"] = request.negative_prompt
    if request.size:
        given["size"] = re.sub(r"^(\d+)x(\d+)$", r"\1*\2", request.size)
    if request.n is not None:
        given["n"] = request.n
    if request.seed is not None:
        given["seed"] = request.seed
    rest = {name: value for name, value in request.extra_fields.items() if has_input or name not in _INPUTS}
    return {**given, **rest}


def _images(output: Fields) -> tuple[MadeImage, ...]:
    """Of ``results``, or of ``choices`` as the service of messages has them; what failed among them is left out."""
    made = [MadeImage(url) for row in rows(output, "results", _PLACE) if (url := text(row, "url", _PLACE))]
    for choice in rows(output, "choices", _PLACE):
        message = inner(choice, "message", _PLACE)
        if isinstance(message.get("content"), list):
            found = rows(message, "content", _PLACE)
            made += [MadeImage(url) for row in found if (url := text(row, "image", _PLACE))]
    return tuple(made)


def _none(output: Fields) -> ModelError:
    """The error of an answer without pictures: the first that failed says why."""
    for row in rows(output, "results", _PLACE):
        if row.get("code") or row.get("message"):
            return dashscope_fault(0, dict(row))
    return WireBroken(f"{_PLACE}: there are none in it")


def _ended(output: Fields, state: str) -> ModelError:
    match state:
        case "FAILED":
            return dashscope_fault(0, {**output, "message": text(output, "message", _PLACE) or "the task failed"})
        case "CANCELED":
            return Refused("the task was given up")
        case "UNKNOWN":
            return Refused("the provider does not know the task; it keeps them for a day")
        case _:
            return broken(_PLACE, "a task is in a state that is not known")
