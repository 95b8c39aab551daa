"""Making pictures: what may be asked, and what is taken of what comes back."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from companion.errors import InvalidAnswer, Unsupported
from companion.model import Link
from companion.model.pictures import ImageAnswer, ImageMaker, ImageRequest, MadeImage, mime_of
from companion.stream import Blob, Text, Usage

PNG = b"\x89PNG\r\n\x1a\nrest"
HARBOUR = "https://pictures.example/harbour.jpg"


class Painter:
    name = "painter"

    def __init__(self, *images: MadeImage) -> None:
        self.asked: list[ImageRequest] = []
        self._images = images or (MadeImage(url="https://pictures.example/1.png"),)

    async def make(self, request: ImageRequest) -> ImageAnswer:
        self.asked.append(request)
        return ImageAnswer(self._images, Usage(5, 9))


async def test_a_prompt_is_enough() -> None:
    painter = Painter()
    answer = await ImageMaker(painter).make("a harbour at dawn")
    assert painter.asked == [ImageRequest("a harbour at dawn")]
    assert answer.content == Link("image/png", "https://pictures.example/1.png")
    assert answer.usage == Usage(5, 9)


async def test_a_mapping_names_the_fields_and_any_others_are_extra() -> None:
    painter = Painter()
    asked = {
        "prompt": "a harbour", "n": 2, "size": "1024x1024", "seed": 7, "model": "small", "negative_prompt": "people",
        "image": PNG, "images": [HARBOUR], "mask": Blob("image/png", PNG), "quality": "low", "deep": {"a": [1, None]},
    }  # fmt: skip

    await ImageMaker(painter, {"quality": "high", "style": "plain"}).make(asked)

    (request,) = painter.asked
    assert (request.prompt, request.n, request.size, request.seed) == ("a harbour", 2, "1024x1024", 7)
    assert (request.model, request.negative_prompt) == ("small", "people")
    assert request.images == (Blob("image/png", PNG), Link("image/jpeg", HARBOUR))
    assert request.mask == Blob("image/png", PNG)
    assert request.extra_fields == {"quality": "low", "style": "plain", "deep": {"a": [1, None]}}
    assert asked["image"] == PNG, "what was given is not changed"


async def test_pictures_to_work_from_stand_behind_those_of_the_request() -> None:
    painter = Painter()
    request = ImageRequest("closer", images=(Link("image/png", HARBOUR),))

    await ImageMaker(painter).make(request, [PNG, HARBOUR])

    assert painter.asked[0].images == (
        Link("image/png", HARBOUR), Blob("image/png", PNG), Link("image/jpeg", HARBOUR),
    )  # fmt: skip
    assert len(request.images) == 1


@pytest.mark.parametrize(
    ("made", "content"),
    [
        (MadeImage("https://p.example/a", b"bytes", text="words"), Link("image/png", "https://p.example/a")),
        (MadeImage(data=b"bytes", text="words"), Blob("image/png", b"bytes")),
        (MadeImage(text="<svg/>"), Text("<svg/>")),
    ],
)
def test_an_address_goes_before_bytes_and_bytes_before_text(made: MadeImage, content: object) -> None:
    assert made.content == content
    assert ImageAnswer((made,)).content == content


@pytest.mark.parametrize(
    "asked",
    [
        "", "  ", {}, {"prompt": ""}, {"prompt": 3}, {"prompt": "x", "n": "two"}, {"prompt": "x", "n": True},
        {"prompt": "x", "size": 1024}, {"prompt": "x", "images": [7]}, {"prompt": "x", "image": b""},
        {"prompt": "x", "style": object()}, {"prompt": "x", "extra_fields": [1]}, {"prompt": "x", "seed": 1.5},
    ],
)  # fmt: skip
async def test_what_is_no_request_is_refused_before_anything_is_sent(asked: str | Mapping[str, object]) -> None:
    painter = Painter()
    with pytest.raises(Unsupported):
        await ImageMaker(painter).make(asked)
    assert painter.asked == []


async def test_no_picture_is_an_error() -> None:
    for images in ((MadeImage(),), (MadeImage(), MadeImage())):
        with pytest.raises(InvalidAnswer, match="painter made no picture"):
            await ImageMaker(Painter(*images)).make("x")


def test_a_picture_is_known_by_its_first_bytes() -> None:
    assert mime_of(PNG) == "image/png"
    assert mime_of(b"GIF89a...") == "image/gif"
    assert mime_of(b"RIFF\0\0\0\0WEBPVP8 ") == "image/webp"
    assert mime_of(b"\xff\xd8\xff") == "image/jpeg"
