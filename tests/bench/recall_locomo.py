"""How much of what answers a question is recalled, without a language model: LoCoMo's questions.

``python tests/bench/recall_locomo.py --data locomo7.json`` prints, overall and by category, the share of a question's
evidence turns among the first 5, 10 and 20, the mean over the questions, and the milliseconds of processor time a
question takes. ``--half tune`` or ``--half hold`` takes the conversations the weights were fitted on, or the others;
``--vectors FOLDER`` lets the static embeddings of that model folder take part; ``--json`` prints JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from statistics import mean, median, quantiles

import locomo

from companion.memory.meaning import Embeds
from companion.memory.passages import Kind
from companion.memory.store import Store
from companion.memory.text_index import TextIndex
from companion.memory.text_search import Question

TUNE = ("conv-26", "conv-42", "conv-47", "conv-50")
DEPTHS = (5, 10, 20)
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}

Row = tuple[int, list[float], float]
"""Category, recall at each depth, milliseconds."""


async def ask_all(conversation: locomo.Conversation, folder: Path, embeds: Embeds | None = None) -> list[Row]:
    """Index one conversation and ask its questions."""
    now = conversation.asked_at
    store = await Store.open(folder, lambda: now)
    try:
        index = TextIndex(store, embeds)
        for number, session in enumerate(conversation.sessions):
            await index.add(f"session-{number}", session)
        return [await _ask(index, asked, now) for asked in conversation.questions]
    finally:
        await store.close()


async def _ask(index: TextIndex, asked: locomo.Asked, now: datetime) -> Row:
    began = time.process_time()
    hits = await index.search(Kind.TURN, Question(asked.text, now), max(DEPTHS))
    spent = (time.process_time() - began) * 1000
    found = [hit.passage.turn for hit in hits]
    return asked.category, [len(asked.evidence & set(found[:depth])) / len(asked.evidence) for depth in DEPTHS], spent


def figures(rows: Sequence[Row]) -> dict[str, object]:
    """The table as data."""
    by_category = {
        name: [round(mean(row[1][at] for row in rows if row[0] == number), 3) for at in range(len(DEPTHS))]
        for number, name in CATEGORIES.items()
        if any(row[0] == number for row in rows)
    }
    spent = [row[2] for row in rows]
    return {
        "questions": len(rows),
        "recall": [round(mean(row[1][at] for row in rows), 3) for at in range(len(DEPTHS))],
        "by category": by_category,
        "median ms": round(median(spent), 2),
        "p95 ms": round(quantiles(spent, n=20)[-1], 2),
    }


async def measure(file: Path, half: str, vectors: Path | None) -> dict[str, object]:
    """Every conversation of ``half``, each with a store of its own."""
    chosen: Callable[[str], bool] = {
        "all": lambda name: True,
        "tune": lambda name: name in TUNE,
        "hold": lambda name: name not in TUNE,
    }[half]
    rows: list[Row] = []
    embeds = await embedder(vectors)
    for conversation in locomo.read(file):
        if chosen(conversation.name):
            with tempfile.TemporaryDirectory() as folder:
                rows += await ask_all(conversation, Path(folder), embeds)
    return figures(rows)


async def embedder(folder: Path | None) -> Embeds | None:
    """The static embeddings of a model folder."""
    if folder is None:
        return None
    from companion.model.embed import Embedder
    from companion.providers.local.static_embed import StaticEmbedding

    model = StaticEmbedding(folder)
    await model.load()
    return Embedder(model)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True, help="LoCoMo's JSON file")
    parser.add_argument("--half", choices=("all", "tune", "hold"), default="all")
    parser.add_argument("--vectors", type=Path, help="a folder with a static embedding model")
    parser.add_argument("--json", action="store_true", help="print JSON")
    chosen = parser.parse_args()
    found = asyncio.run(measure(chosen.data, chosen.half, chosen.vectors))
    if chosen.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{found['questions']} questions, recall @5 / @10 / @20: {found['recall']}")
    for name, shares in found["by category"].items():
        print(f"  {name:12} {shares}")
    print(f"processor time: median {found['median ms']} ms, p95 {found['p95 ms']} ms")


if __name__ == "__main__":
    main()
