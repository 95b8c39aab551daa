"""An embedder: batches in order, one vector a text, and nothing that is no vector."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from companion.errors import WireBroken
from companion.model.embed import Embedded, Embedder, EmbedParams, Vector
from companion.stream import Usage


class Letters:
    """A backend whose vectors are made of letters; ``spoil`` changes what it answers."""

    name = "letters"

    def __init__(self, batch_size: int = 3, spoil: Callable[[list[Vector]], list[Vector]] | None = None) -> None:
        self.batch_size = batch_size
        self.asked: list[tuple[str, ...]] = []
        self.params: list[EmbedParams] = []
        self._spoil = spoil or (lambda vectors: vectors)

    async def embed_batch(self, texts: Sequence[str], params: EmbedParams) -> Embedded:
        self.asked.append(tuple(texts))
        self.params.append(params)
        return Embedded(tuple(self._spoil([(float(len(text)), 1.0) for text in texts])), Usage(len(texts)))


async def test_texts_go_out_in_batches_and_vectors_come_back_in_order() -> None:
    backend = Letters()
    texts = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff", "ggggggg"]

    answer = await Embedder(backend).ask(texts)

    assert [len(batch) for batch in backend.asked] == [3, 3, 1]
    assert [vector[0] for vector in answer.vectors] == [1, 2, 3, 4, 5, 6, 7]
    assert answer.usage == Usage(prompt_tokens=7)


@pytest.mark.parametrize(("wanted", "sizes"), [(2, [2, 2, 1]), (9, [3, 2]), (0, [3, 2])])
async def test_a_batch_is_never_larger_than_the_backend_takes(wanted: int, sizes: list[int]) -> None:
    backend = Letters()
    await Embedder(backend, batch_size=wanted).embed_texts(["x"] * 5)
    assert [len(batch) for batch in backend.asked] == sizes


async def test_nothing_is_sent_for_no_texts() -> None:
    backend = Letters()
    assert await Embedder(backend).embed_texts([]) == ()
    assert backend.asked == []


async def test_the_dimensions_are_found_out_by_embedding_a_word() -> None:
    backend = Letters()
    assert await Embedder(backend).dimensions(EmbedParams(dimensions=2)) == 2
    assert backend.asked == [("test",)]
    assert backend.params[0].dimensions == 2


async def test_what_a_request_asks_for_goes_before_what_holds_for_all() -> None:
    backend = Letters()
    general = EmbedParams("small", dimensions=8, purpose="document", extra_fields={"user": "us", "truncate": True})

    await Embedder(backend, general).embed("x", EmbedParams(purpose="query", extra_fields={"user": "you"}))

    assert backend.params == [EmbedParams("small", 8, "query", {"user": "you", "truncate": True})]
    assert general.extra_fields == {"user": "us", "truncate": True}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda vectors: vectors[:-1],
        lambda vectors: [*vectors, (1.0, 1.0)],
        lambda vectors: [],
        lambda vectors: [*vectors[:-1], (1.0,)],
        lambda vectors: [(), *vectors[1:]],
        lambda vectors: [(float("nan"), 1.0), *vectors[1:]],
        lambda vectors: [(float("inf"), 1.0), *vectors[1:]],
    ],
    ids=["one is missing", "one too many", "none", "a shorter one", "an empty one", "not a number", "infinite"],
)
async def test_vectors_that_do_not_belong_to_the_texts_are_an_error(
    spoil: Callable[[list[Vector]], list[Vector]],
) -> None:
    with pytest.raises(WireBroken, match="letters: "):
        await Embedder(Letters(spoil=spoil)).embed_texts(["a", "b", "c"])


async def test_all_batches_have_vectors_of_one_length() -> None:
    lengths = iter([2, 3])

    def spoil(vectors: list[Vector]) -> list[Vector]:
        length = next(lengths)
        return [(1.0,) * length for _ in vectors]

    with pytest.raises(WireBroken, match=r"3 numbers .* where others have 2"):
        await Embedder(Letters(spoil=spoil)).embed_texts(["x"] * 6)


def test_a_batch_of_less_than_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Embedder(Letters(), batch_size=-1)
