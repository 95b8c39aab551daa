"""Vectors of a real engine over HTTP are those that the same model makes in this process."""

from __future__ import annotations

from pathlib import Path

from doubles.embedding_engine import embedding_engine

from companion.model.embed import Embedder, EmbedParams
from companion.providers.local.llama_embed import LlamaEmbedding
from companion.providers.remote.embed import RemoteEmbedding
from companion.providers.remote.endpoints import endpoint
from companion.providers.remote.http import Http
from companion.providers.remote.keys import no_key
from companion.providers.remote.provider_link import ProviderLink

TEXTS = ["the kettle boils", "Where is the spare key?", "你好，世界"]


async def test_an_engine_over_http_and_the_model_itself_agree(shelf_folder: Path) -> None:
    (file,) = (shelf_folder / "smollm2-135m").glob("*.gguf")
    local, http = LlamaEmbedding(file), Http()
    with embedding_engine(file) as address:
        line = ProviderLink(endpoint("llama-server").at(f"{address}/v1"), http, no_key)
        remote = Embedder(RemoteEmbedding(line, file.stem))
        answer = await remote.ask(TEXTS)
        as_numbers = await remote.embed_texts(TEXTS, EmbedParams(extra_fields={"encoding_format": "float"}))
        assert await remote.dimensions() == 576
        await http.close()
    own = await Embedder(local).ask(TEXTS)
    await local.close()

    assert answer.usage == own.usage
    for theirs, numbers, ours in zip(answer.vectors, as_numbers, own.vectors, strict=True):
        assert sum(a * b for a, b in zip(theirs, ours, strict=True)) > 0.999
        assert sum(a * b for a, b in zip(theirs, numbers, strict=True)) > 0.999
