"""Pictures of words, or of other pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Protocol

from companion.errors import InvalidAnswer, Unsupported
from companion.model.content import Link
from companion.model.content import image as picture_of
from companion.model.options import JsonValue
from companion.model.plain import plain
from companion.stream import Blob, Text, Usage

Picture = Blob | Link


@dataclass(frozen=True, slots=True)
class ImageRequest:
    """What is to be seen; None and empty leave it to the provider.

    images: to work from; the first one is the one to change. mask: where its transparent parts are, the first image
    may change. negative_prompt: what shall not be seen. size: "1024x1024". model: by the provider's name; empty for
    the one it is set up with. extra_fields: what only one provider knows, sent to it as it is.
    """

    prompt: str
    images: tuple[Picture, ...] = ()
    mask: Picture | None = None
    negative_prompt: str = ""
    n: int | None = None
    size: str = ""
    seed: int | None = None
    model: str = ""
    extra_fields: Mapping[str, JsonValue] = field(default_factory=dict)

    @classmethod
    def of(cls, asked: str | Mapping[str, object]) -> ImageRequest:
        """What ``asked`` means: a prompt, or a mapping of these fields; keys with other names are extra fields.

        A picture may be its bytes or its URL, and ``image`` stands for a single one.

        Raises:
            Unsupported: there is no prompt, or a field holds what it cannot hold; ``mend`` says what it can.
        """
        if isinstance(asked, str):
            return cls(_prompt(asked))
        return _of_mapping(asked)


@dataclass(frozen=True, slots=True)
class MadeImage:
    """One picture as it came.

    url: where it is, often for some hours only. data, mime_type: its bytes. text: where the provider answers in
    words, or draws in them, as SVG. revised_prompt: what the provider made of the prompt.
    """

    url: str = ""
    data: bytes = b""
    mime_type: str = "image/png"
    text: str = ""
    revised_prompt: str = ""

    @property
    def content(self) -> Link | Blob | Text:
        """What there is of it: its address before its bytes before its text."""
        if self.url:
            return Link(self.mime_type, self.url)
        if self.data:
            return Blob(self.mime_type, self.data)
        return Text(self.text)


@dataclass(frozen=True, slots=True)
class ImageAnswer:
    """What came back. images: at least one, where it comes from an ImageMaker. task: by which the provider knows it."""

    images: tuple[MadeImage, ...]
    usage: Usage = field(default_factory=Usage)
    task: str = ""

    @property
    def content(self) -> Link | Blob | Text:
        """That of the first picture."""
        return self.images[0].content


class ImageBackend(Protocol):
    """Who makes pictures. Serves concurrent requests; cancelling one ends that one only."""

    @property
    def name(self) -> str:
        """Who it is, for people."""

    async def make(self, request: ImageRequest) -> ImageAnswer:
        """Make them. Where the provider works at it for a while, it is asked until it has finished.

        Raises:
            Unsupported: it cannot carry a part of the request; nothing was sent.
            ModelError: it could not be reached, refused or failed.
            TimeoutError: they were not finished in time; the provider was told to stop, if it can be.
        """


class ImageMaker:
    """Makes pictures. defaults: extra fields that every request gets, unless it says something else."""

    def __init__(self, backend: ImageBackend, defaults: Mapping[str, JsonValue] | None = None) -> None:
        self._backend = backend
        self._defaults = dict(defaults or {})

    @property
    def name(self) -> str:
        return self._backend.name

    async def make(
        self, asked: str | Mapping[str, object] | ImageRequest, images: Sequence[Picture | bytes | str] = ()
    ) -> ImageAnswer:
        """Pictures of ``asked``: a prompt, a mapping (see ``ImageRequest.of``) or a request.

        images: to work from, behind those of the request; each its bytes, its URL or a block.

        Raises:
            InvalidAnswer: nothing came back.
            Unsupported, ModelError, TimeoutError: as ``ImageBackend.make``.
        """
        request = asked if isinstance(asked, ImageRequest) else ImageRequest.of(asked)
        request = replace(
            request,
            images=(*request.images, *(_picture(each, "images") for each in images)),
            extra_fields={**self._defaults, **request.extra_fields},
        )
        answer = await self._backend.make(request)
        if not any(image.url or image.data or image.text for image in answer.images):
            raise InvalidAnswer(f"{self.name} made no picture and did not say why", retryable=True)
        return answer


_FIELDS = {each.name for each in fields(ImageRequest)}
_COUNTS = ("n", "seed")
_WORDS = ("negative_prompt", "size", "model")


def _of_mapping(asked: Mapping[str, object]) -> ImageRequest:
    given = dict(asked)
    request = ImageRequest(
        _prompt(given.pop("prompt", None)),
        images=(*_pictures(given.pop("image", None), "image"), *_pictures(given.pop("images", None), "images")),
        mask=next(iter(_pictures(given.pop("mask", None), "mask")), None),
        extra_fields=_extra(given.pop("extra_fields", None)),
    )
    words = {name: _word(given.pop(name), name) for name in _WORDS if given.get(name) is not None}
    counts = {name: _count(given.pop(name), name) for name in _COUNTS if given.get(name) is not None}
    rest = _extra({name: value for name, value in given.items() if name not in _FIELDS})
    return replace(request, extra_fields={**request.extra_fields, **rest}, **words, **counts)  # type: ignore[arg-type]


def _prompt(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise Unsupported("no picture can be made without a prompt", mend="say in `prompt` what is to be seen")
    return value


def _word(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise Unsupported(f"{name} of a picture is no text", mend=f"give {name} as a text")
    return value


def _count(value: object, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise Unsupported(f"{name} of a picture is no whole number", mend=f"give {name} as a whole number")
    return value


def _extra(value: object) -> dict[str, JsonValue]:
    try:
        fields_of = plain(value if value is not None else {})
    except (TypeError, RecursionError) as error:
        raise Unsupported(f"an extra field of a picture is nothing that JSON can carry: {error}") from error
    if not isinstance(fields_of, dict):
        raise Unsupported("the extra fields of a picture are no mapping", mend="give them by name")
    return fields_of


def _pictures(value: object, name: str) -> tuple[Picture, ...]:
    if value is None:
        return ()
    several = value if isinstance(value, list | tuple) else (value,)
    return tuple(_picture(each, name) for each in several)


def _picture(value: object, name: str) -> Picture:
    match value:
        case Blob() | Link():
            return value
        case bytes() if value:
            return picture_of(value, mime_of(value))
        case str() if value:
            return picture_of(value)
        case _:
            raise Unsupported(f"{name} holds something that is no picture", mend="give its bytes or its URL")


def mime_of(data: bytes) -> str:
    """The MIME type of a picture by its first bytes; JPEG where they tell nothing."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return "image/jpeg"
