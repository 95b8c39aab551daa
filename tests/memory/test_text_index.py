"""The text memory: turns and documents found by their words, their neighbours, who spoke and when."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from datetime import datetime, timedelta
from pathlib import Path

import apsw
import pytest
from doubles.memory import NOON, Wall, a_store
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import ProviderFailed
from companion.memory import passages, postings
from companion.memory.meaning import Embeds
from companion.memory.migrations import DOCUMENTS
from companion.memory.passages import MOST_IN_GROUP, Kind, Passage
from companion.memory.text_index import TextIndex
from companion.memory.text_search import Question, TextHit, search

TALK = (
    ("Anna", "Where did you leave the blue bicycle?"),
    ("Ben", "Behind the shed."),
    ("Anna", "My dentist moved to Grove Street."),
    ("Ben", "I planted three pear trees yesterday."),
    ("Anna", "The cat is called Momo."),
    ("Ben", "我妹妹下个月去 Lyon 出差"),
)


def turns(said: Sequence[tuple[str, str]] = TALK, *, at: datetime = NOON) -> list[Passage]:
    return [Passage(text, at + timedelta(minutes=n), who, f"{at:%d%H%M}-{n}") for n, (who, text) in enumerate(said)]


def asked(text: str, *, now: datetime = NOON, asker: str = "", more: tuple[str, ...] = ()) -> Question:
    return Question(text, now, asker, more)


@asynccontextmanager
async def an_index(folder: Path, embeds: Embeds | None = None) -> AsyncIterator[TextIndex]:
    async with a_store(folder, Wall()) as store:
        yield TextIndex(store, embeds)


def texts(hits: Sequence[TextHit]) -> list[str]:
    return [hit.passage.text for hit in hits]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which trees were planted?", "I planted three pear trees yesterday."),
        ("what is the cat's name", "The cat is called Momo."),
        ("妹妹去哪里出差", "我妹妹下个月去 Lyon 出差"),
        ("who goes to lyon", "我妹妹下个月去 Lyon 出差"),
        ("dentists", "My dentist moved to Grove Street."),
    ],
)
async def test_a_question_finds_its_turn(tmp_path: Path, question: str, answer: str) -> None:
    async with an_index(tmp_path) as index:
        await index.add("s", turns())

        assert texts(await index.search(Kind.TURN, asked(question)))[0] == answer


async def test_an_answer_without_a_word_of_the_question_is_found_beside_it(tmp_path: Path) -> None:
    async with an_index(tmp_path) as index:
        await index.add("s", turns())

        assert "Behind the shed." in texts(await index.search(Kind.TURN, asked("bicycle"), 3))


async def test_who_is_asked_about_speaks_first(tmp_path: Path) -> None:
    said = [("Anna", "Pears are lovely."), ("Ben", "Pears are lovely too."), ("Anna", "So.")]
    async with an_index(tmp_path) as index:
        await index.add("s", turns(said))

        for name in ("Anna", "Ben"):
            hits = await index.search(Kind.TURN, asked(f"What does {name} say of pears?"))
            assert hits[0].passage.speaker == name
            assert hits[0].by_speaker
        hits = await index.search(Kind.TURN, asked("what did I say of pears", asker="Ben"))
        assert hits[0].passage.speaker == "Ben"


async def test_days_are_understood(tmp_path: Path) -> None:
    now = NOON + timedelta(days=2)  # a Wednesday
    async with an_index(tmp_path) as index:
        for days in (1, 8, 40):
            at = now - timedelta(days=days)
            await index.add(f"s{days}", turns([("Anna", f"The soup was hot {days}.")], at=at))

        for question, days in {"soup last week": 8, "soup yesterday": 1, "soup in January": 40}.items():
            assert texts(await index.search(Kind.TURN, asked(question, now=now)))[0] == f"The soup was hot {days}."
        hits = await index.search(Kind.TURN, asked("what did we do yesterday", now=now))
        assert texts(hits) == ["The soup was hot 1."]
        assert hits[0].by_date


async def test_neighbours_end_with_a_pause(tmp_path: Path) -> None:
    async with an_index(tmp_path) as index:
        await index.add("s", turns([("Anna", "A blue bicycle.")]))
        await index.add("s", turns([("Ben", "Good morning.")], at=NOON + timedelta(days=1)))

        assert texts(await index.search(Kind.TURN, asked("bicycle"))) == ["A blue bicycle."]


async def test_a_turn_is_added_once(tmp_path: Path) -> None:
    async with an_index(tmp_path) as index:
        await index.add("s", turns())
        await index.add("s", turns())

        assert len(await index.search(Kind.TURN, asked("pear trees"), 50)) == 5


async def test_documents_and_turns_are_apart(tmp_path: Path) -> None:
    async with an_index(tmp_path) as index:
        await index.add("s", turns())
        await index.replace(Kind.DOCUMENT, "doc_1", [Passage("How to prune pear trees.", NOON)])

        assert texts(await index.search(Kind.DOCUMENT, asked("pear trees"))) == ["How to prune pear trees."]
        assert "How to prune pear trees." not in texts(await index.search(Kind.TURN, asked("pear trees")))


async def test_what_is_replaced_removed_or_forgotten_is_found_no_more(tmp_path: Path) -> None:
    async with an_index(tmp_path) as index:
        await index.add("s", turns())
        await index.replace(Kind.TURN, "s", turns([("Anna", "Only the harp.")]))
        assert await index.search(Kind.TURN, asked("pear trees")) == []

        await index.add("s", turns([("Ben", "And the flute.")], at=NOON + timedelta(minutes=2)))
        assert await index.forget_about("harp") == 1
        assert await index.search(Kind.TURN, asked("harp")) == []
        assert await index.remove(Kind.TURN, "s") == 1
        assert await index.remove(Kind.TURN, "unknown") == 0


async def test_no_byte_of_a_forgotten_turn_is_left(tmp_path: Path) -> None:
    async with an_index(tmp_path) as index:
        await index.replace(Kind.TURN, "s", turns([*TALK, ("Anna", "xylophone")]))
        await index.add("t", turns(at=NOON + timedelta(days=1)))
        assert holds(tmp_path, b"xylophon")
        assert await index.forget_about("xylophone") == 1

    assert not holds(tmp_path, b"xylophon")


async def test_all_that_names_somebody_is_forgotten(tmp_path: Path) -> None:
    async with an_index(tmp_path) as index:
        await index.add("s", turns())

        assert await index.forget_about("Lyon") == 1
        assert await index.forget_about("Grove Street") == 1
        assert await index.forget_about("Grove Avenue") == await index.forget_about("the") == 0
        assert len(await index.search(Kind.TURN, asked("bicycle shed cat"), 50)) == 4
    assert not holds(tmp_path, b"Lyon")


def holds(folder: Path, content: bytes) -> bool:
    return any(content in file.read_bytes() for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize(
    "question", ["", "the of and", "?!", '"', "a" * 5000, "NEAR(x y) AND * OR", "的了吗", "\x00", "\ud800"]
)
async def test_any_question_is_answered(tmp_path: Path, question: str) -> None:
    async with an_index(tmp_path) as index:
        assert await index.search(Kind.TURN, asked(question)) == []
        await index.add("s", turns())
        assert len(await index.search(Kind.TURN, asked(question))) <= len(TALK)


async def test_it_is_there_after_opening_again_and_neighbours_can_be_shown(tmp_path: Path) -> None:
    async with an_index(tmp_path) as index:
        await index.add("s", turns())
    async with an_index(tmp_path) as index:
        await index.add("s", turns([("Anna", "And the harp.")], at=NOON + timedelta(minutes=6)))
        (first, *_) = await index.search(Kind.TURN, asked("cat Momo"))

        around = await index.around(first.passage.row)
        assert [one.text for one in around] == [*(text for _, text in TALK[2:]), "And the harp."]
        assert around[0].at == NOON + timedelta(minutes=2)


async def test_names_that_facts_lead_to_count_less_than_what_was_said(tmp_path: Path) -> None:
    said = [("Anna", "Emma plays."), *[("Ben", "so")] * 5, ("Anna", "The concert was long.")]
    async with an_index(tmp_path) as index:
        await index.add("s", turns(said))

        hits = await index.search(Kind.TURN, asked("my sister's concert", more=("Emma",)))
        assert texts(hits)[0] == "The concert was long."
        assert "Emma plays." in texts(hits)


class Alike:
    """Vectors of the letters of a text, or a failure."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.asked: list[str] = []

    async def embed_texts(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        if self.fails:
            raise ProviderFailed("it broke")
        self.asked += texts
        return [_vector(text) for text in texts]


def _vector(text: str) -> list[float]:
    counts = [float(text.lower().count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"]
    length = math.hypot(*counts) or 1.0
    return [count / length for count in counts]


async def test_meaning_takes_part_where_there_are_vectors(tmp_path: Path) -> None:
    embeds = Alike()
    async with an_index(tmp_path, embeds) as index:
        await index.add("s", turns())

        assert texts(await index.search(Kind.TURN, asked("What is the cat called?")))[0] == "The cat is called Momo."
    assert embeds.asked[:2] == ["What is the cat called?", "cat called"]
    assert len(embeds.asked) == 2 + len(TALK)


async def test_without_vectors_words_decide(tmp_path: Path) -> None:
    async with an_index(tmp_path, Alike(fails=True)) as index:
        await index.add("s", turns())

        assert texts(await index.search(Kind.TURN, asked("cat")))[0] == "The cat is called Momo."


def test_a_long_conversation_has_groups_of_a_bounded_length() -> None:
    with a_database() as db:
        passages.append(db, "s", [Passage(f"word {n}", NOON + timedelta(seconds=n)) for n in range(MOST_IN_GROUP + 1)])

        assert [row for (row,) in db.execute("SELECT passages FROM text_groups")] == [MOST_IN_GROUP, 1]


def test_a_common_word_brings_its_newest_and_those_beside_a_rare_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "MOST_ROWS", 20)
    with a_database() as db:
        for n in range(200):
            at = NOON + timedelta(hours=2 * n)
            passages.append(db, f"s{n}", [Passage("soup with a rare spoon" if n == 3 else "soup", at)])
        found = {one.word: one for one in postings.postings(db, Kind.TURN, ["soup", "spoon"])}

        assert len(found["soup"].rows) == 21
        assert found["soup"].idf < found["spoon"].idf
        assert texts(search(db, Kind.TURN, asked("soup spoon"), 1)) == ["soup with a rare spoon"]


def test_how_common_a_word_is_is_reckoned_from_how_far_its_newest_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "MOST_ROWS", 50)
    with a_database() as db:
        for n in range(1000):
            text = "tea" if n % 10 == 0 else "milk"
            passages.append(db, f"s{n}", [Passage(text, NOON + timedelta(hours=2 * n))])
        tea, milk = postings.postings(db, Kind.TURN, ["tea", "milk"])

        def idf(holders: int) -> float:
            return math.log(1 + (1000 - holders + 0.5) / (holders + 0.5)) / math.log(1001)

        assert tea.idf == pytest.approx(idf(100), rel=0.05)
        assert milk.idf == pytest.approx(idf(900), rel=0.1)


def a_database():
    db = apsw.Connection(":memory:")
    for step in DOCUMENTS:
        db.execute(step.sql).fetchall()
    return closing(db)


WORDS = ("tea", "rain", "harp", "猫", "Momo")


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["add", "replace", "remove", "forget"]),
            st.sampled_from(["s", "t"]),
            st.lists(st.sampled_from(WORDS), max_size=3),
            st.integers(0, 90),
        ),
        max_size=12,
    )
)
def test_the_index_holds_what_a_plain_list_would(steps: list[tuple[str, str, list[str], int]]) -> None:
    held: dict[str, dict[str, str]] = {"s": {}, "t": {}}
    with a_database() as db:
        at, count = NOON, 0
        for what, source, words, minutes in steps:
            at += timedelta(minutes=minutes)
            fresh = {str(count + n): word for n, word in enumerate(words)}
            count += len(words)
            said = [Passage(word, at, "Anna", turn) for turn, word in fresh.items()]
            if what == "add":
                passages.append(db, source, said)
                held[source] |= fresh
            elif what == "replace":
                passages.replace(db, Kind.TURN, source, said)
                held[source] = fresh
            elif what == "remove":
                assert passages.remove(db, Kind.TURN, source) == len(held[source])
                held[source] = {}
            else:
                for turn in list(held[source])[:1]:
                    passages.remove_rows(db, passages.rows_of_turn(db, source, turn))
                    del held[source][turn]
        for word in WORDS:
            found = {
                (hit.passage.source, hit.passage.turn)
                for hit in search(db, Kind.TURN, asked(word), 100)
                if hit.passage.text == word
            }
            assert found == {
                (source, turn) for source, said in held.items() for turn, text in said.items() if text == word
            }
        total = sum(len(said) for said in held.values())
        assert db.execute("SELECT passages FROM text_sizes WHERE kind = 0").get == total
        assert sum(turns for (turns,) in db.execute("SELECT turns FROM text_speakers")) == total
