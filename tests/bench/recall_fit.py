"""Fits the weights of ``companion.memory.ranking`` on one half of LoCoMo, and shows what they do on the other.

``python tests/bench/recall_fit.py --data locomo7.json`` prints the weights. A question's passages are the classes of a
softmax over their weighted features, and its evidence is what should be chosen: convex, so there is one answer.
``--without NAME ...`` leaves features out, which shows what each is worth.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import locomo
import numpy as np
from recall_locomo import DEPTHS, TUNE, embedder

from companion.memory import meaning
from companion.memory.meaning import Embeds, draft
from companion.memory.passages import Kind
from companion.memory.ranking import WEIGHTS
from companion.memory.store import Store
from companion.memory.text_index import TextIndex
from companion.memory.text_search import Looked, Question, look, read

STEPS = 300
PULL = 1e-3
"""How much large weights are held back."""


@dataclass(frozen=True, slots=True)
class Case:
    """features: one row a passage. is_answer: whether each is evidence. missing: evidence that is no candidate."""

    category: int
    features: np.ndarray
    is_answer: np.ndarray
    missing: int


async def cases(file: Path, names: Sequence[str], embeds: Embeds | None) -> dict[bool, list[Case]]:
    """Of the tuning half and of the other."""
    found: dict[bool, list[Case]] = {True: [], False: []}
    for conversation in locomo.read(file):
        with tempfile.TemporaryDirectory() as folder:
            found[conversation.name in TUNE] += await _of(conversation, Path(folder), names, embeds)
    return found


async def _of(
    conversation: locomo.Conversation, folder: Path, names: Sequence[str], embeds: Embeds | None
) -> list[Case]:
    store = await Store.open(folder, lambda: conversation.asked_at)
    index = TextIndex(store)
    for number, session in enumerate(conversation.sessions):
        await index.add(f"session-{number}", session)

    turn_of = await store.read(lambda db: dict(db.execute("SELECT id, turn FROM text_passages")))
    made = []
    for asked in conversation.questions:
        question = Question(asked.text, conversation.asked_at)
        looked, features = await _looked_at(store, question, embeds)
        if looked is None:
            made.append(Case(asked.category, np.zeros((0, len(names))), np.zeros(0, bool), len(asked.evidence)))
            continue
        columns = np.stack([features[name] for name in names], axis=1)
        is_answer = np.asarray([turn_of[int(row)] in asked.evidence for row in looked.rows])
        made.append(Case(asked.category, columns, is_answer, len(asked.evidence) - int(is_answer.sum())))
    await store.close()
    return made


async def _looked_at(store: Store, question: Question, embeds: Embeds | None) -> tuple[Looked | None, dict]:
    asked = await store.read(lambda db: read(db, question))
    looked = await store.read(lambda db: look(db, Kind.TURN, asked))
    if looked is None or embeds is None:
        return looked, {} if looked is None else looked.features
    drafted = await store.read(lambda db: draft(db, asked, looked))
    return drafted.looked, await meaning.features(drafted, embeds)


def fitted(train: Sequence[Case]) -> np.ndarray:
    """The weights that make evidence likeliest, by Adam (Kingma and Ba, 2015) on standardised features."""
    train = [case for case in train if case.is_answer.any()]
    rows = np.concatenate([case.features for case in train])
    spread = rows.std(axis=0) + 1e-9
    starts = np.cumsum([0] + [len(case.features) for case in train])[:-1]
    of = np.repeat(np.arange(len(train)), [len(case.features) for case in train])
    wanted = np.concatenate([case.is_answer / case.is_answer.sum() for case in train])
    scaled, weights = rows / spread, np.zeros(rows.shape[1])
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        sums = scaled @ weights
        likely = np.exp(sums - np.maximum.reduceat(sums, starts)[of])
        likely /= np.add.reduceat(likely, starts)[of]
        slope = scaled.T @ (likely - wanted) / len(train) + PULL * weights
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights -= 0.1 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-9)
    return weights / spread


def recall(tested: Sequence[Case], weights: np.ndarray) -> str:
    """At each depth, then at ten by category."""
    rows = []
    for case in tested:
        order = np.argsort(-(case.features @ weights), kind="stable")
        total = case.is_answer.sum() + case.missing
        rows.append([case.is_answer[order[:depth]].sum() / total for depth in DEPTHS])
    table, category = np.asarray(rows), np.asarray([case.category for case in tested])
    by_category = "/".join(f"{table[category == number, 1].mean():.2f}" for number in range(1, 6))
    return f"{' '.join(f'{share:.3f}' for share in table.mean(axis=0))}  @10 by category {by_category}"


async def _found(file: Path, names: Sequence[str], vectors: Path | None) -> dict[bool, list[Case]]:
    return await cases(file, names, await embedder(vectors))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--without", nargs="*", default=())
    parser.add_argument("--vectors", type=Path, help="a folder with a static embedding model")
    parser.add_argument("--each", action="store_true", help="also leave out each in turn")
    chosen = parser.parse_args()
    weights_of = WEIGHTS if chosen.vectors is None else meaning.WEIGHTS
    names = [name for name in weights_of if name not in chosen.without]
    found = asyncio.run(_found(chosen.data, names, chosen.vectors))
    weights = fitted(found[True])
    top = np.abs(weights).max()
    print("\n".join(f'        "{name}": {weight:.3f},' for name, weight in zip(names, weights, strict=True)), top)
    print("tune     ", recall(found[True], weights))
    print("hold out ", recall(found[False], weights))
    other = fitted(found[False])
    print("the other way round: hold", recall(found[False], other), " tune", recall(found[True], other))
    for name in names if chosen.each else ():
        kept = [place for place, other in enumerate(names) if other != name]
        for is_tune in (True, False):
            train = [Case(c.category, c.features[:, kept], c.is_answer, c.missing) for c in found[is_tune]]
            test = [Case(c.category, c.features[:, kept], c.is_answer, c.missing) for c in found[not is_tune]]
            print(f"without {name:9} fitted on {'tune' if is_tune else 'hold'}:", recall(test, fitted(train)))


if __name__ == "__main__":
    main()
