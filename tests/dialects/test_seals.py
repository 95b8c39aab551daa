"""What only one protocol can read."""

from __future__ import annotations

from companion.dialects.seals import seal, unseal


def test_what_was_sealed_is_opened_by_its_own_protocol_only():
    sealed = seal("anthropic", "signature", "Eq QB\n==")

    assert unseal("anthropic", sealed) == ("signature", "Eq QB\n==")
    assert unseal("openai-responses", sealed) is None


def test_what_nobody_sealed_stays_closed():
    for text in ("", "anthropic", "EqQBCg==", "anthropic signature"):
        assert unseal("anthropic", text) is None
