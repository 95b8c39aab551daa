"""What is never stored as a fact: card and account numbers, passwords, keys and the like.

A card number passes the check of Luhn (ISO/IEC 7812), an account number that of ISO 13616 (IBAN, ISO 7064 mod 97).
"""

from __future__ import annotations

import itertools
import re
import unicodedata

_CARD = re.compile(r"(?<![\d.,+])\d(?:[ \-.]?\d){12,18}(?![\d])")
_IBAN = re.compile(r"(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Z0-9])", re.IGNORECASE)
_KNOWN_KEYS = re.compile(
    r"(?:\bsk-|\bpk-|\brk-|\bghp_|\bgho_|\bgithub_pat_|\bglpat-|\bxox[abprs]-|\bAKIA|\bASIA|\bAIza|\bhf_|\bya29\.|\beyJ)"
    r"[A-Za-z0-9_\-./+]{8,}|-----BEGIN [A-Z ]*PRIVATE KEY"
)
_LONG = re.compile(r"(?<![A-Za-z0-9_+/\-])[A-Za-z0-9_+/\-]{20,}={0,2}")
_NAMES = (
    r"pass ?words?|pass ?codes?|pass ?phrases?|passwd|pwd|pin|pin (?:code|number)|puk|cvv2?|cvc2?|security code|"
    r"secret (?:key|code|word)|api ?keys?|access ?(?:key|token)s?|private keys?|seed phrase|"
    r"recovery (?:code|phrase|key)s?|"
    r"credit card|debit card|card number|social security(?: number)?|ssn|wifi key|wi-fi key|"
    r"(?:door|alarm|gate|safe|lock|entry)[ _](?:code|pin|combination)"
)
_TOLD = re.compile(rf"(?<![a-z])(?:{_NAMES})(?![a-z])")
_TOLD_CHINESE = re.compile(r"密码|口令|验证码|身份证号|银行卡号|信用卡号|卡号|密钥|私钥|助记词|安全码")
_SAID = re.compile(r"\s*(?:is|=|:|是|为|：)\s*\S")
_VALUE = re.compile(r"\d{3,}|(?=\S*\d)(?=\S*[^\W\d_])\S{4,}|\S{3,}[!@#$%^&*]+\S*")
_OF_SOCIAL_SECURITY = re.compile(r"(?<!\d)(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?!\d)")
_OF_CHINESE_IDENTITY = re.compile(r"(?<!\d)\d{6}(?:19|20)\d{9}[\dXx](?!\d)")

CARD = "it holds a card number"
ACCOUNT = "it holds an account number"
KEY = "it holds a key"
PASSWORD = "it is a password or a code"  # noqa: S105 - a reason, no password
IDENTITY = "it holds an identity number"


def why_secret(subject: str, relation: str, value: str) -> str:
    """Why a fact may not be stored, as "it holds a key"; empty where it may."""
    told = unicodedata.normalize("NFKC", f"{subject} {relation}").replace("_", " ").casefold()
    if _names_a_secret(told):
        return PASSWORD
    return next((why for part in (subject, value, relation) if (why := why_secret_text(part))), "")


def why_secret_text(text: str) -> str:
    """Why a text may not be stored; empty where it may."""
    plain = unicodedata.normalize("NFKC", text)
    if any(_is_card(found[0]) for found in _CARD.finditer(plain)):
        return CARD
    if any(_is_iban(found[0]) for found in _IBAN.finditer(plain)):
        return ACCOUNT
    if _OF_SOCIAL_SECURITY.search(plain) or _OF_CHINESE_IDENTITY.search(plain):
        return IDENTITY
    if _KNOWN_KEYS.search(plain) or any(_is_random(found[0]) for found in _LONG.finditer(plain)):
        return KEY
    return PASSWORD if _tells_a_secret(plain.casefold()) else ""


def _names_a_secret(plain: str) -> bool:
    return bool(_TOLD.search(plain) or _TOLD_CHINESE.search(plain))


def _tells_a_secret(plain: str) -> bool:
    """A word for a secret with something behind it that can be one: "the wifi password is tulip42"."""
    found = _TOLD.search(plain) or _TOLD_CHINESE.search(plain)
    if found is None:
        return False
    return bool(_VALUE.search(plain, found.end()) or _SAID.match(plain, found.end()))


def _is_card(text: str) -> bool:
    digits = [int(char) for char in text if char.isdigit()]
    doubled = [digit if place % 2 == 0 else digit * 2 - 9 * (digit > 4) for place, digit in enumerate(reversed(digits))]
    return len(set(digits)) > 1 and sum(doubled) % 10 == 0


def _is_iban(text: str) -> bool:
    plain = text.replace(" ", "").upper()
    # More words may follow the number: the longest beginning that checks counts.
    return any(_checks(plain[:length]) for length in range(len(plain), 14, -1))


def _checks(iban: str) -> bool:
    return int("".join(str(int(char, 36)) for char in iban[4:] + iban[:4])) % 97 == 1


def _is_random(text: str) -> bool:
    """Letters and digits mixed as no word or name has them."""
    if text.count("-") >= 2 and text.replace("-", "").isalpha():
        return False
    changes = sum(one.isdigit() != other.isdigit() for one, other in itertools.pairwise(text))
    has_both = any(char.isdigit() for char in text) and any(char.isalpha() for char in text)
    return has_both and changes >= 4
