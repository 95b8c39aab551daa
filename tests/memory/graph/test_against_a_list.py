"""The graph does what a list of facts would do, whatever is said, forgotten and said again in whatever order."""

from __future__ import annotations

from datetime import datetime

import apsw
from doubles.memory import a_database
from doubles.memory_model import FAR, ListOfFacts
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.memory.facts import Criteria, Provenance, Triple
from companion.memory.graph import purge
from companion.memory.graph.commit import commit
from companion.memory.graph.rows import moment

NAMES = st.sampled_from(["user", "Emma", "Tom", "Paris", "Lyon", "tea"])
RELATIONS = st.sampled_from(["lives_in", "likes", "dislikes", "works_at"])
SESSIONS = st.sampled_from(["a", "b"])
COMMIT = st.tuples(st.just("commit"), NAMES, RELATIONS, NAMES, SESSIONS, st.integers(0, 3), st.integers(0, 6))
FORGET = st.tuples(st.just("forget"), NAMES)
REMOVE = st.tuples(st.just("remove"), NAMES)


def at(now: int) -> datetime:
    return moment(1_700_000_000_000 + now)


def do(connection: apsw.Connection, model: ListOfFacts, step: tuple[object, ...], now: int) -> None:
    match step:
        case ("commit", str(subject), str(relation), str(thing), str(session), int(turn), int(back)):
            then = max(0, now - back)
            source = Provenance("user", at(then), session, f"{turn}")
            commit(connection, [Triple(subject, relation, thing)], source, at(now))
            model.commit(subject, relation, thing, session=session, turn=f"{turn}", at=then, now=now)
        case ("forget", str(name)):
            done = purge.forget(connection, Criteria(entity=name), 1_700_000_000_000 + now)
            assert done.facts == model.forget(name, now)
        case ("remove", str(name)):
            assert purge.remove(connection, Criteria(entity=name)).facts == model.remove(name)


def stored(connection: apsw.Connection) -> list[tuple[object, ...]]:
    sql = f"""
        SELECT s.key, relation_type, t.key, session_id, said_at - 1700000000000, status,
            coalesce(valid_until - 1700000000000, {FAR})
        FROM relations JOIN entities s ON s.id = source_id JOIN entities t ON t.id = target_id
        ORDER BY relations.id
    """
    return [tuple(row) for row in connection.execute(sql)]


def expected(model: ListOfFacts) -> list[tuple[object, ...]]:
    names = {number: name.casefold() for name, number in model.names.items()}
    return [
        (names[one.subject], one.relation, names[one.object], one.session, one.at, one.status, one.until)
        for one in model.lines
    ]


@settings(max_examples=300)
@given(st.lists(st.one_of(COMMIT, COMMIT, COMMIT, FORGET, REMOVE), max_size=30))
def test_the_graph_holds_what_a_list_would(steps: list[tuple[object, ...]]) -> None:
    with a_database() as connection:
        model = ListOfFacts()
        for now, step in enumerate(steps):
            do(connection, model, step, now * 2)

        assert stored(connection) == expected(model)
        mentions = {
            str(key): int(count) for key, count in connection.execute("SELECT key, mention_count FROM entities")
        }
        assert mentions == {name.casefold(): model.mentions[number] for name, number in model.names.items()}


@settings(max_examples=200)
@given(st.lists(COMMIT, max_size=30))
def test_one_thing_at_a_time_holds_of_a_single_relation(steps: list[tuple[object, ...]]) -> None:
    with a_database() as connection:
        model = ListOfFacts()
        for now, step in enumerate(steps):
            do(connection, model, step, now * 2)

        sql = """
            SELECT count(*) FROM (SELECT 1 FROM relations WHERE status = 'active'
                AND relation_type IN ('lives_in', 'works_at')
                GROUP BY source_id, relation_type HAVING count(DISTINCT target_id) > 1)
        """
        assert connection.execute(sql).get == 0


@settings(max_examples=200)
@given(st.lists(st.one_of(COMMIT, FORGET, REMOVE), max_size=25))
def test_the_index_of_names_holds_the_names_there_are_and_no_others(steps: list[tuple[object, ...]]) -> None:
    from companion.memory.graph.names import parts_of

    with a_database() as connection:
        model = ListOfFacts()
        for now, step in enumerate(steps):
            do(connection, model, step, now * 2)

        held = {(str(part), int(number)) for part, number in connection.execute("SELECT * FROM name_parts")}
        keys = [(str(key), int(number)) for key, number in connection.execute("SELECT key, id FROM entities")]
        assert held == {(part, number) for key, number in keys for part in parts_of(key)}
