"""How fast documents are read and found: megabytes a second by kind, and questions to 10,000 and 100,000 passages.

``python tests/bench/knowledge_speed.py`` prints a table, with ``--json`` the same for a script; ``--quick`` shows
that it works. The words of the texts come as often as words do (Zipf), from a vocabulary of 20,000; every question is
two common words and three from one of the passages, as "what is the ..." has them. Reading goes the whole way: through
the process that reads, into the index on disk. Nothing is left out; each reading includes the start of that process.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path
from statistics import median, quantiles

from companion.knowledge import KnowledgeBase
from companion.knowledge.index_file import Entry, open_index, put_file
from companion.knowledge.reader_child import prepared
from companion.knowledge.scan import FileKey
from companion.knowledge.text import Extract

VOCABULARY = 20_000
PASSAGES = (10_000, 100_000)
QUESTIONS = 500
MEGABYTES = 4.0
PASSAGES_OF_A_FILE = 100
SYLLABLES = (
    "ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru".split()
)
COMMON = "what where when how which does is the".split()


@dataclass(frozen=True, slots=True)
class Reading:
    """Megabytes of files, and of the text in them; seconds from the first look until all is found."""

    kind: str
    files: int
    megabytes: float
    text_megabytes: float
    seconds: float

    @property
    def speed(self) -> float:
        return self.megabytes / self.seconds


@dataclass(frozen=True, slots=True)
class Finding:
    """Milliseconds for a question of five hits, asked one after the other; megabytes of the index.

    cpu_median_ms, cpu_p95_ms: of the processor, where the others are as they pass, beside whatever else runs.

    own_passage_first: the share of questions whose first hit has all three words.
    """

    passages: int
    median_ms: float
    p95_ms: float
    most_ms: float
    cpu_median_ms: float
    cpu_p95_ms: float
    index_megabytes: float
    passages_a_second: float
    own_passage_first: float


class Words:
    """Words as often as words come."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self._all = [self._word() for _ in range(VOCABULARY)]
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(VOCABULARY)))

    def _word(self) -> str:
        return "".join(self.dice.choices(SYLLABLES, k=self.dice.randint(2, 4)))

    def some(self, count: int) -> list[str]:
        return self.dice.choices(self._all, cum_weights=self._weights, k=count)

    def sentence(self) -> str:
        return " ".join(self.some(self.dice.randint(6, 18))).capitalize() + ". "

    def paragraph(self) -> str:
        return "".join(self.sentence() for _ in range(self.dice.randint(3, 8)))

    def han(self, count: int) -> str:
        return "".join(chr(0x4E00 + min(int(self.dice.expovariate(1 / 600)), 6_000)) for _ in range(count)) + "。"


def _text(words: Words) -> bytes:
    return "\n\n".join(words.paragraph() for _ in range(200)).encode()


def _chinese(words: Words) -> bytes:
    return "\n\n".join(words.han(60) + words.han(40) for _ in range(300)).encode()


def _markdown(words: Words) -> bytes:
    return "\n\n".join(
        f"## {words.sentence()}\n\n{words.paragraph()}\n\n{words.paragraph()}" for _ in range(100)
    ).encode()


def _html(words: Words) -> bytes:
    sections = (f"<h2>{words.sentence()}</h2><p>{words.paragraph()}</p><p>{words.paragraph()}</p>" for _ in range(100))
    return f"<html><body>{''.join(sections)}</body></html>".encode()


def _docx(words: Words) -> bytes:
    import docx

    document = docx.Document()
    for _ in range(60):
        document.add_heading(words.sentence(), 2)
        document.add_paragraph(words.paragraph())
        document.add_paragraph(words.paragraph())
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def _pdf(words: Words) -> bytes:
    from reportlab.pdfgen import canvas

    file = io.BytesIO()
    paper = canvas.Canvas(file)
    for _ in range(40):
        for place in range(40):
            paper.drawString(72, 760 - 16 * place, " ".join(words.some(9)))
        paper.showPage()
    paper.save()
    return file.getvalue()


KINDS: dict[str, tuple[str, Callable[[Words], bytes]]] = {
    "text": (".txt", _text),
    "chinese": (".txt", _chinese),
    "markdown": (".md", _markdown),
    "html": (".html", _html),
    "docx": (".docx", _docx),
    "pdf": (".pdf", _pdf),
}


async def read_kind(kind: str, megabytes: float, home: Path) -> Reading:
    """Write files of a kind and have them read."""
    ending, write = KINDS[kind]
    folder = home / kind
    folder.mkdir(parents=True)
    words = Words(1)
    size = files = 0
    most = megabytes * 1e6 / (8 if kind in {"docx", "pdf"} else 1)
    while size < most:
        content = write(words)
        (folder / f"{files}{ending}").write_bytes(content)
        size, files = size + len(content), files + 1
    base = await KnowledgeBase.open(home / "knowledge", [folder], cache=home / f"cache-{kind}")
    try:
        began = time.perf_counter()
        refreshed = await base.refresh()
        seconds = time.perf_counter() - began
        assert refreshed.read == files, refreshed
        text = await base._index.ask(
            lambda connection: connection.execute("SELECT sum(length(text)) FROM passages").get
        )
    finally:
        await base.close()
    return Reading(kind, files, size / 1e6, int(str(text)) / 1e6, seconds)


def _fill(file: Path, count: int, words: Words) -> tuple[list[str], float]:
    """Put so many passages into an index; some of their words for questions, and passages a second."""
    asked: list[str] = []
    connection = open_index(file)
    seconds = 0.0
    for number in range(count // PASSAGES_OF_A_FILE):
        passages = [prepared(Extract(text))[0] for text in _passages(words)]
        asked += [" ".join(words.dice.sample(each.words.lower().replace(".", "").split(), 3)) for each in passages[:5]]
        began = time.perf_counter()
        put_file(
            connection,
            FileKey(Path("/documents"), f"{number}.md"),
            Entry("markdown", "", b"", passages=tuple(passages)),
        )
        seconds += time.perf_counter() - began
    connection.close()
    return asked, count / seconds


def _passages(words: Words) -> Iterator[str]:
    for _ in range(PASSAGES_OF_A_FILE):
        yield "".join(words.sentence() for _ in range(8))


async def ask(count: int, questions: int, home: Path) -> Finding:
    """Fill an index and ask it."""
    words = Words(2)
    cache = home / f"cache-{count}"
    asked, filled = _fill(cache / "knowledge.db", count, words)
    base = await KnowledgeBase.open(home / "knowledge", cache=cache)
    seconds: list[float] = []
    worked: list[float] = []
    found = 0
    try:
        await base.search("warm")
        for three in words.dice.sample(asked, min(questions, len(asked))):
            question = " ".join([*words.dice.sample(COMMON, 2), three])
            began, before = time.perf_counter(), time.process_time()
            hits = await base.search(question)
            seconds.append(time.perf_counter() - began)
            worked.append(time.process_time() - before)
            found += bool(hits) and set(three.split()) <= set(hits[0].text.lower().replace(".", "").split())
    finally:
        await base.close()
    return Finding(
        passages=count,
        median_ms=median(seconds) * 1000,
        p95_ms=quantiles(seconds, n=20)[-1] * 1000,
        most_ms=max(seconds) * 1000,
        cpu_median_ms=median(worked) * 1000,
        cpu_p95_ms=quantiles(worked, n=20)[-1] * 1000,
        index_megabytes=sum(file.stat().st_size for file in cache.iterdir()) / 1e6,
        passages_a_second=filled,
        own_passage_first=found / len(seconds),
    )


async def measure(*, quick: bool, home: Path) -> tuple[list[Reading], list[Finding]]:
    megabytes, sizes, questions = (0.3, (1_000,), 50) if quick else (MEGABYTES, PASSAGES, QUESTIONS)
    readings = [await read_kind(kind, megabytes, home) for kind in KINDS]
    return readings, [await ask(count, questions, home) for count in sizes]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--quick", action="store_true", help="little of everything")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        readings, findings = asyncio.run(measure(quick=chosen.quick, home=Path(home)))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if chosen.json:
        print(json.dumps({
            "reading": [asdict(each) | {"megabytes_a_second": each.speed} for each in readings],
            "finding": [asdict(each) for each in findings],
            "memory_mb": memory,
        }, indent=2))  # fmt: skip
        return
    for each in readings:
        print(
            f"{each.kind:9} {each.files:4} files, {each.megabytes:.2f} MB with {each.text_megabytes:.2f} MB of text: "
            f"{each.seconds:.2f} s, {each.speed:.2f} MB/s, {each.text_megabytes / each.seconds:.2f} MB of text/s"
        )
    for one in findings:
        print(
            f"{one.passages:7} passages: median {one.median_ms:.2f} ms, p95 {one.p95_ms:.2f} ms, "
            f"most {one.most_ms:.1f} ms; of the processor {one.cpu_median_ms:.2f} and {one.cpu_p95_ms:.2f} ms; "
            f"index {one.index_megabytes:.0f} MB, "
            f"written at {one.passages_a_second:,.0f} passages/s; "
            f"all three words in the first hit for {one.own_passage_first:.0%}"
        )
    print(f"memory {memory:.0f} MB")


if __name__ == "__main__":
    main()
