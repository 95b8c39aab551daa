"""OpenAI's pictures: made of words, or of other pictures. They come with the answer; there are no tasks.

Source: OpenAI API reference, "Images", "Create image" and "Create image edit"; as read in its Python SDK 3.57.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.dialects.contract import WireCall
from companion.dialects.fields import Fields, as_fields, broken, count, inner, rows, text
from companion.dialects.form import FormPart, form_of
from companion.dialects.images.contract import ImageTask
from companion.dialects.media import bytes_of, held_by
from companion.dialects.openai_faults import fault_of_input
from companion.dialects.urls import complete_url
from companion.errors import ModelError, Unsupported, WireBroken
from companion.model.options import JsonValue
from companion.model.pictures import ImageAnswer, ImageRequest, MadeImage, Picture
from companion.model.plain import json_text, whole_letters
from companion.stream import Blob, Usage

_PLACE = "answer with pictures"
_MIME = {"png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp", "gif": "image/gif", "svg": "image/svg+xml"}
_ENDINGS = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif"}
_GENERATE, _EDIT = "/images/generations", "/images/edits"


class OpenAIImages:
    """Pictures to work from travel as files, so their bytes have to be there."""

    name = "openai"
    begins_tasks = False

    def encode(self, request: ImageRequest, base_url: str) -> WireCall:
        fields = _fields(request)
        if not request.images:
            if request.mask is not None:
                raise Unsupported("a mask without a picture says nothing", mend="give the picture to change too")
            return WireCall.of_json(_address(base_url, _GENERATE), fields)
        parts = [*_form(fields), *_files(request)]
        body, kind = form_of(parts)
        return WireCall("POST", _address(base_url, _EDIT), body, {"content-type": kind})

    def read(self, answer: JsonValue) -> ImageAnswer | ImageTask:
        fields = as_fields(answer, _PLACE)
        if fields.get("error"):
            raise fault_of_input(0, answer)
        mime_type = _MIME.get(text(fields, "output_format", _PLACE), "image/png")
        images = tuple(_image(row, mime_type) for row in rows(fields, "data", _PLACE))
        if not images:
            raise WireBroken(f"{_PLACE}: there are none in it")
        usage = inner(fields, "usage", _PLACE)
        tokens = (count(usage, name, _PLACE) for name in ("input_tokens", "output_tokens"))
        return ImageAnswer(images, Usage(*tokens))

    def poll(self, task: ImageTask, base_url: str) -> WireCall:
        raise Unsupported("this protocol has no tasks to ask for")

    def cancel(self, task: ImageTask, base_url: str) -> WireCall | None:
        return None

    def fault(self, status: int, answer: JsonValue | str) -> ModelError:
        return fault_of_input(status, answer)


def _address(base_url: str, path: str) -> str:
    """An endpoint given as the address of the one serves the other too."""
    for other in (_GENERATE, _EDIT):
        if "#" not in base_url:
            base_url = base_url.rstrip("/").removesuffix(other)
    return complete_url(base_url, f"/v1{path}")


def _fields(request: ImageRequest) -> dict[str, JsonValue]:
    if request.negative_prompt or request.seed is not None:
        name = "negative_prompt" if request.negative_prompt else "seed"
        raise Unsupported(
            f"this protocol has no {name}", mend="say in the prompt what shall not be seen, or give an extra field"
        )
    fields: dict[str, JsonValue] = {"prompt": request.prompt}
    if request.model:
        fields["model"] = request.model
    if request.n is not None:
        fields["n"] = request.n
    if request.size:
        fields["size"] = request.size
    return {**fields, **request.extra_fields}


def _form(fields: Mapping[str, JsonValue], within: str = "") -> Iterator[FormPart]:
    """Fields as a form has them: what is nested is named ``svg[model]``."""
    for name, value in fields.items():
        full = f"{within}[{name}]" if within else name
        if isinstance(value, Mapping):
            yield from _form(value, full)
        elif value is not None:
            yield FormPart(full, (whole_letters(value) if isinstance(value, str) else json_text(value)).encode())


def _files(request: ImageRequest) -> Iterator[FormPart]:
    name = "image" if len(request.images) == 1 else "image[]"
    for place, image in enumerate(request.images):
        yield _file(name, image, f"image-{place + 1}")
    if request.mask is not None:
        yield _file("mask", request.mask, "mask")


def _file(name: str, image: Picture, called: str) -> FormPart:
    blob = held_by(image)
    if not isinstance(blob, Blob):
        raise Unsupported("this protocol takes no picture by its address", mend="give the bytes of the picture")
    ending = _ENDINGS.get(blob.mime_type)
    if ending is None:
        raise Unsupported(f"a picture of type {blob.mime_type!r} cannot be sent", mend="give a PNG, JPEG or WebP")
    return FormPart(name, blob.data, f"{called}.{ending}", blob.mime_type)


def _image(row: Fields, mime_type: str) -> MadeImage:
    url, encoded = text(row, "url", _PLACE), text(row, "b64_json", _PLACE)
    if not url and not encoded:
        raise broken(_PLACE, "a picture has neither an address nor bytes")
    data = bytes_of(encoded, "b64_json") if encoded else b""
    return MadeImage(url, data, mime_type, revised_prompt=text(row, "revised_prompt", _PLACE))
