"""What is never a fact, and which relations hold one thing at a time."""

from __future__ import annotations

from datetime import timedelta

import pytest
from doubles.memory import NOON
from hypothesis import given
from hypothesis import strategies as st

from companion.memory.facts import Fact, Status, predicate, relation_name
from companion.memory.predicates import PREDICATES, relations_asked_by
from companion.memory.secrecy import ACCOUNT, CARD, IDENTITY, KEY, PASSWORD, why_secret, why_secret_text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("4111 1111 1111 1111", CARD),
        ("4111-1111-1111-1111", CARD),
        ("my card is 5500005555555559 until May", CARD),
        ("３７８２８２２４６３１０００５", CARD),
        ("DE89 3704 0044 0532 0130 00", ACCOUNT),
        ("pay to gb82west12345698765432 please", ACCOUNT),
        ("sk-abcdefghijkl1234", KEY),
        ("ghp_16C7e42F292c6912E7710c838347Ae178B4a", KEY),
        ("a8f5f167f44f4964e6c998dee827110c", KEY),
        ("-----BEGIN RSA PRIVATE KEY-----", KEY),
        ("the wifi password is tulip", PASSWORD),
        ("PIN 4821", PASSWORD),
        ("door code: 77#12", PASSWORD),
        ("密码是 abc123", PASSWORD),
        ("123-45-6789", IDENTITY),
        ("11010519491231002X", IDENTITY),
    ],
)
def test_secrets_are_known_by_their_form(text: str, why: str) -> None:
    assert why_secret_text(text) == why


@pytest.mark.parametrize(
    "text",
    [
        "+49 170 1234567",
        "13812345678",
        "2026-11-30T10:30:00+01:00",
        "dentist on Friday at 10:30",
        "4111 1111 1111 1112",
        "0000 0000 0000 0000",
        "antidisestablishmentarianism",
        "mother-in-law-of-my-brother",
        "https://example.com/a/very/long/path/of/words",
        "a pin cushion",
        "her password",
        "the seed catalogue",
        "Flight LH1234",
        "room 1024",
        "3.14159265358979323846",
        "我喜欢绿茶",
        "size 42",
    ],
)
def test_what_is_no_secret_may_be_stored(text: str) -> None:
    assert why_secret_text(text) == ""


@pytest.mark.parametrize(
    "relation", ["password", "pin", "wifi_password", "api_key", "has_credit_card", "密码", "银行卡号"]
)
def test_what_is_told_as_a_secret_is_one_whatever_it_looks_like(relation: str) -> None:
    assert why_secret("user", relation, "tulip") == PASSWORD


@given(st.integers(10**11, 10**18 - 1), st.sampled_from(["", " ", "-"]))
def test_every_number_that_checks_as_a_card_is_refused(start: int, between: str) -> None:
    digits = str(start)
    total = sum(int(one) if place % 2 else sum(divmod(int(one) * 2, 10)) for place, one in enumerate(reversed(digits)))
    card = digits + str(-total % 10)
    if len(set(card)) == 1 or not 13 <= len(card) <= 19:
        return
    assert why_secret_text(between.join(card[at : at + 4] for at in range(0, len(card), 4))) != ""


@given(st.text(max_size=300))
def test_any_text_is_judged_without_a_fault_and_in_no_time(text: str) -> None:
    assert isinstance(why_secret("user", "likes", text), str)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("lives in", "lives_in"),
        ("Lives-In", "lives_in"),
        ("moved to", "lives_in"),
        ("住在", "lives_in"),
        ("married to", "is_partner_of"),
        ("favorite color", "favourite_color"),
        ("is fond of", "is_fond_of"),
        ("  ", ""),
    ],
)
def test_relations_have_one_spelling(said: str, name: str) -> None:
    assert relation_name(said) == name


@given(st.text(max_size=40))
def test_a_spelling_is_its_own_spelling(said: str) -> None:
    assert relation_name(relation_name(said)) == relation_name(said)


def test_the_table_agrees_with_itself() -> None:
    for name, one in PREDICATES.items():
        assert relation_name(name) == name
        assert not one.opposite or PREDICATES[one.opposite].opposite == name
        assert all(name in relations_asked_by(cue) for cue in one.cues)


def test_favourites_hold_one_thing_and_unknown_relations_many() -> None:
    assert predicate("favourite_colour").is_single
    assert predicate("lives_in").is_single
    assert not predicate("likes").is_single
    assert not predicate("paints_by_night").is_single


def test_a_fact_holds_from_its_first_day_until_its_last() -> None:
    fact = Fact(1, "user", "lives_in", "Ghent", "user", NOON, valid_from=NOON, valid_until=NOON + timedelta(days=1))

    held = [fact.holds_at(NOON + timedelta(hours=hours)) for hours in (-1, 0, 23, 24)]
    assert held == [False, True, True, False]
    assert not Fact(1, "a", "b", "c", "d", NOON, status=Status.DELETED).holds_at(NOON)
