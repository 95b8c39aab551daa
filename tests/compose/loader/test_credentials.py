"""Only what begins with a sign is looked up; the rest of the world's keys stay as they are."""

from __future__ import annotations

import pytest

from companion.compose.loader.credentials import Credentials, Missing

HERE = Credentials({"KEY": "k", "OTHER": "o", "EMPTY": ""}, {"bank": "gold", "blank": ""}.get)


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("", ""),
        ("plain", "plain"),
        ("$KEY", "k"),
        ("${KEY}", "k"),
        ("$KEY-${OTHER}", "k-o"),
        ("prefix-$KEY", "prefix-$KEY"),
        (" $KEY", " $KEY"),
        ("keyring:bank", "gold"),
        ("my keyring:bank", "my keyring:bank"),
        ("Keyring:bank", "Keyring:bank"),
    ],
)
def test_a_key_that_is_there(written: str, key: str) -> None:
    assert HERE.resolve(written) == key


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("$UNSET", "the variable UNSET is not set"),
        ("${UNSET}", "the variable UNSET is not set"),
        ("$EMPTY", "the variable EMPTY is not set"),
        ("$KEY$UNSET", "the variable UNSET is not set"),
        ("$", '"$" is followed by no name of a variable'),
        ("$5", '"$" is followed by no name of a variable'),
        ("keyring:shop", "the keyring holds no 'shop'"),
        ("keyring:blank", "the keyring holds no 'blank'"),
        ("keyring:", "the keyring holds no ''"),
    ],
)
def test_a_key_that_is_missing_says_why(written: str, reason: str) -> None:
    missing = HERE.resolve(written)

    assert isinstance(missing, Missing)
    assert missing.reason == reason
    assert missing.mend
