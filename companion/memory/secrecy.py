"""What is never stored: card and account numbers, passwords, codes that open something, keys and the like.

Three kinds of tells. A number may show by itself what it is: a card number passes the check of Luhn (ISO/IEC 7812), an
account number that of ISO 13616 (IBAN, ISO 7064 mod 97), keys begin as their makers let them begin. A word may say it,
"password" or 密码, whatever follows. And a number or a mixed word may stand near a word for what it opens or belongs
to: a code, a lock, an account, a passport. Numbers are read as they are spoken too: "four seven one one", 四七一一.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator

from companion.memory.storable import storable

CARD = "it holds a card number"
ACCOUNT = "it holds an account number"
KEY = "it holds a key"
PASSWORD = "it is a password or a code"  # noqa: S105 - a reason, no password
IDENTITY = "it holds an identity number"

# -- numbers that show by themselves what they are

_CARD = re.compile(r"(?<![\d.,+])\d(?:[ \-./_]{0,2}\d){12,18}(?!\d)")
_IBAN = re.compile(r"(?<![A-Z0-9])[A-Z] ?[A-Z] ?\d ?\d(?:[ \-.]?[A-Z0-9]){11,40}", re.IGNORECASE)
_KNOWN_KEYS = re.compile(
    r"(?:\bsk-|\bpk-|\brk-|\bghp_|\bgho_|\bgithub_pat_|\bglpat-|\bxox[abprs]-|\bAKIA|\bASIA|\bAIza|\bhf_|\bya29\.|\beyJ)"
    r"[A-Za-z0-9_\-./+]{8,}|-----BEGIN [A-Z ]*PRIVATE KEY"
)
_LONG = re.compile(r"(?<![A-Za-z0-9_+/\-])[A-Za-z0-9_+/\-]{20,}={0,2}")
_IDENTITY = re.compile(
    r"(?<!\d)(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?!\d)|(?<!\d)\d{6}(?:19|20)\d{9}[\dXx](?!\d)|"
    r"\b[A-CEGHJ-PR-TW-Za-ceghj-pr-tw-z]{2} ?\d\d ?\d\d ?\d\d ?[A-Da-d]\b"
)
"""Of the United States, of China, of the United Kingdom."""

# -- words that say it

_NAMES = (
    r"pass ?words?|pass ?codes?|pass ?phrases?|pass ?keys?|passwd|pwd|puk|cvv2?|cvc2?|pin (?:code|number)|"
    r"(?:secret|security|access|entry|recovery|backup|unlock) (?:codes?|words?|keys?|phrases?)|seed phrase|"
    r"(?:secret|security) (?:questions?|answers?)|maiden name|api ?keys?|access ?tokens?|private keys?|"
    r"(?:wi-?fi|network|router|encryption) keys?|"
    r"(?:door|alarm|gate|safe|lock|entry|keypad)[ _](?:code|pin|combination)s?|"
    r"passwort|kennwort|geheimzahl|mot de passe|contraseña|senha"
)
_NAMED = re.compile(rf"(?<![a-z])(?:{_NAMES})(?![a-z])")
_PIN = re.compile(r"(?<![a-z])pins?(?![a-z])")
_NAMED_CHINESE = re.compile(r"密码|口令|暗号|验证码|密钥|私钥|助记词|安全码|解锁码|取件码|提取码|动态码|pin码|锁屏图案")
_OF_PAPERS = re.compile(
    r"(?<![a-z])(?:credit card|debit card|card number|social security(?: number)?|ssn|account number|iban)(?![a-z])|"
    r"身份证号|银行卡号|信用卡号|卡号"
)
_TELLS = re.compile(
    r"(?:\b(?:is|was|are|be|it's|its|that's|says|reads|goes|equals|now|changed to|set to|ist)\b|'s\b|[:=])\s*"
    r"(?!(?:too|so|not|very|always|never|wrong|right|weak|strong|safe|long|short|old|gone|the same|in|on|under|at|"
    r"written|expired|broken|changed|lost|needed|required|missing|working)\b)\S"
)
"""That a value follows: "is tulip", not "is wrong"."""
_NO_VALUE = frozenset(
    "and or for to of on in at with from is was are be does do did has had have can could will would should must may "
    "again please so but because if when while that which who than manager managers reset resets box field screen "
    "hint hints policy thing stuff too now every all any".split()
)
_TELLS_CHINESE = re.compile(r"是|为|改成|改为|换成|设成|设为|叫|就用|[:：=]")
_NO_VALUE_CHINESE = re.compile(r"^(?:什么|多少|啥|不对|错|对的|很|太|不)")

# -- words near which a number is one

_CODES = re.compile(
    r"(?<![a-z])(?<!dress )(?<!post )(?<!zip )(?<!area )(?<!country )(?<!bar )(?<!source )(?<!morse )(?<!error )"
    r"(?:codes?|combination|combo|keypad|pins?)(?! (?:review|of conduct))(?![a-z])"
)
_OPENS = re.compile(
    r"(?<![a-z])(?:unlocks?|opens? (?:with|by|when|if)|(?:go|goes|turns?|switch|switches) (?:it )?(?:on|off) with|"
    r"get (?:in|into|inside)|let yourself in|(?:press|punch|key|type|dial|enter)(?: in)?|log ?in|logs in|sign in)"
    r"(?![a-z])"
)
_LOCKED = re.compile(
    r"(?<![a-z])(?:door|gate|garage|safe|alarm|padlock|lock|locker|suitcase|vault|keypad|shed|phone|tablet|laptop|"
    r"computer|building|house|box|router|wi-?fi)(?![a-z])"
)
_IS_NUMBER = re.compile(
    r"(?<![a-z])(?:gate|door|garage|safe|alarm|padlock|lock|locker|suitcase|vault|keypad)(?: \w+){0,2}? "
    r"(?:is|takes|wants|needs|'s) (?:set to )?$"
)
_LOGIN = re.compile(
    r"(?<![a-z])(?:log ?in|sign ?in|log on|user ?name)(?![a-z])[^.?!]*?"
    r"(?:\bas \S+ (?:with|and)\b|(?:\bwith|\band|/) ?\S*\d)|"
    r"(?<![a-z])login \w+ \S*\d"
)
_ACCOUNTS = re.compile(r"(?<![a-z])(?:accounts?|sort code|routing|swift|bic|iban|bank details)(?![a-z])")
_PAPERS = re.compile(
    r"(?<![a-z])(?:passport|driv(?:ing|ers?|er's) licen[cs]e|licen[cs]e number|national insurance|social security|ssn|"
    r"tax (?:number|id|code)|identity card|id card|id number|insurance number|health card|medicare)(?![a-z])"
)
_CARDS = re.compile(
    r"(?<![a-z])(?:(?:credit|debit|bank)? ?cards?|visa|mastercard|amex|american express)(?![a-z])[^.?!]*"
    r"(?:\bends? (?:in|with)|\bnumber|\blast (?:four|4)|\bexpir\w+|\bruns out|\bon the back|\bsecurity)|"
    r"(?<![a-z])digits on the back"
)
_LOCKS_CHINESE = re.compile(r"解锁|开锁|开门|门禁|保险[柜箱]|锁(?:是|的)|图案锁")
_PAPERS_CHINESE = re.compile(
    r"(?:银行|账|帐|存折|护照|身份证|社保|医保|驾照|驾驶证|信用卡|银行卡|储蓄卡|税)\w{0,4}?(?:号码?|卡|账户|尾号|背面)|账号|帐号|背面\w{0,4}数"
)

# -- numbers as they are spoken

_DIGITS = {name: str(number) for number, name in enumerate("zero one two three four five six seven eight nine".split())}
_SPOKEN = re.compile(
    r"\b(?:(?:double |triple )?(?:zero|one|two|three|four|five|six|seven|eight|nine|oh|nought)\b[ ,\-]*){2,}"
)
_HAN_DIGITS = str.maketrans("零〇一二三四五六七八九两幺", "0012345678921")
_SPOKEN_CHINESE = re.compile(r"[零〇一二三四五六七八九两幺]{3,}")
_TIMES = re.compile(
    r"\b(?:in|since|of|from|until|till|by|before|after|year) (?:19|20)\d\d\b|"
    r"\b\d{1,2}[:. ]\d\d ?(?:am|pm|o'clock)\b|(?:19|20)\d\d年"
)
_RUN = re.compile(r"\d(?:[ \-./]{0,2}\d)*")
_MIXED = re.compile(r"(?<!\w)(?=[\w\-]*\d)(?=[\w\-]*[^\W\d_])[^\W_][\w\-]{3,}")
_NEAR = 70
"""Characters between such a word and the number."""


def why_secret(subject: str, relation: str, value: str) -> str:
    """Why a fact may not be stored, as "it holds a key"; empty where it may."""
    told = _plain(f"{subject} {relation}".replace("_", " "))
    if _NAMED.search(told) or _NAMED_CHINESE.search(told) or _OF_PAPERS.search(told) or re.search(r"\bpin\b", told):
        return PASSWORD
    parts = (subject, value, relation, f"{subject} {relation.replace('_', ' ')} {value}")
    return next((why for part in parts if (why := why_secret_text(part))), "")


def why_secret_text(text: str) -> str:
    """Why a text may not be stored; empty where it may."""
    shown = unicodedata.normalize("NFKC", storable(text))
    plain = in_digits(_plain(shown))
    for one in (shown, plain):
        if any(_is_card(found[0]) for found in _CARD.finditer(one)):
            return CARD
        if any(_is_iban(found[0]) for found in _IBAN.finditer(one)):
            return ACCOUNT
    if _IDENTITY.search(shown):
        return IDENTITY
    if _KNOWN_KEYS.search(shown) or any(_is_random(found[0]) for found in _LONG.finditer(shown)):
        return KEY
    return _said_to_be(plain)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", storable(text)).casefold().replace("’", "'")


def in_digits(plain: str) -> str:
    """A text with the digits that are spoken one by one written as such: "4711" for "four seven one one"."""
    plain = _SPOKEN.sub(lambda match: f"{_as_digits(match[0])} ", plain)
    return _SPOKEN_CHINESE.sub(lambda match: match[0].translate(_HAN_DIGITS), plain)


def _as_digits(spoken: str) -> str:
    digits, times = "", 1
    for word in re.split(r"[ ,\-]+", spoken.strip()):
        if word in ("double", "triple"):
            times = 2 if word == "double" else 3
            continue
        digits += _DIGITS.get(word, "0" if word else "") * times
        times = 1
    return digits


def _said_to_be(plain: str) -> str:
    """Why the words say that there is a secret; empty where they do not."""
    if _tells_password(plain) or _tells_chinese(plain) or _LOGIN.search(plain):
        return PASSWORD
    timeless = _TIMES.sub(" ", plain)
    numbers = list(_numbers(timeless))
    near = {
        PASSWORD: (3, (_CODES, _LOCKS_CHINESE)),
        ACCOUNT: (6, (_ACCOUNTS,)),
        IDENTITY: (6, (_PAPERS,)),
        CARD: (3, (_CARDS, _PAPERS_CHINESE)),
    }
    for why, (digits, words) in near.items():
        if any(_is_near(timeless, pattern, numbers, digits) for pattern in words):
            return why
    return PASSWORD if _opens(timeless, numbers) else ""


def _opens(plain: str, numbers: list[tuple[int, int, int]]) -> bool:
    """A number with which something opens: "press 5582 to get into the garage", "the gate is 1984"."""
    if _LOCKED.search(plain) and _is_near(plain, _OPENS, numbers, 3):
        return True
    return any(digits >= 3 and _IS_NUMBER.search(plain[:start]) for start, _, digits in numbers)


def _numbers(plain: str) -> Iterator[tuple[int, int, int]]:
    """Where numbers, and words of letters and digits, begin and end, and how many digits or letters they have."""
    for found in _RUN.finditer(plain):
        yield *found.span(), sum(char.isdigit() for char in found[0])
    for found in _MIXED.finditer(plain):
        yield *found.span(), len(found[0])


def _is_near(plain: str, words: re.Pattern[str], numbers: list[tuple[int, int, int]], least: int) -> bool:
    long = [(start, end) for start, end, digits in numbers if digits >= least]
    return bool(long) and any(
        start - _NEAR <= found.end() <= start + _NEAR or abs(found.start() - end) <= _NEAR
        for found in words.finditer(plain)
        for start, end in long
    )


def _tells_password(plain: str) -> bool:
    """A word for a secret with something behind it that can be one: "the wifi password is tulip"."""
    for found in _NAMED.finditer(plain):
        behind = plain[found.end() :]
        word = re.match(r"[ ,\-]+([^\W_][\w']*)", behind)
        if _TELLS.search(behind) or (word is not None and word[1] not in _NO_VALUE):
            return True
    return any(_TELLS.match(plain[found.end() :].lstrip()) for found in _PIN.finditer(plain))


def _tells_chinese(plain: str) -> bool:
    for found in _NAMED_CHINESE.finditer(plain):
        behind = plain[found.end() :]
        told = _TELLS_CHINESE.search(behind)
        if told is not None and behind[told.end() :].strip() and not _NO_VALUE_CHINESE.match(behind[told.end() :]):
            return True
        if any(size >= 3 for _, _, size in _numbers(behind)) or re.search(
            r"[零一二三四五六七八九两][个位]?[零一二三四五六七八九]", behind
        ):
            return True
    return bool(re.search(r"(?:保险[柜箱]|锁)\w{0,3}(?:号码|数字)是?[左右零一二三四五六七八九\d]", plain))


def _is_card(text: str) -> bool:
    digits = [int(char) for char in text if char.isdigit()]
    doubled = [digit if place % 2 == 0 else digit * 2 - 9 * (digit > 4) for place, digit in enumerate(reversed(digits))]
    return len(set(digits)) > 1 and sum(doubled) % 10 == 0


def _is_iban(text: str) -> bool:
    plain = re.sub(r"[ \-.]", "", text).upper()
    # More words may follow the number: the longest beginning that checks counts.
    return any(_checks(plain[:length]) for length in range(min(len(plain), 34), 14, -1))


def _checks(iban: str) -> bool:
    return int("".join(str(int(char, 36)) for char in iban[4:] + iban[:4])) % 97 == 1


def _is_random(text: str) -> bool:
    """Letters and digits mixed as no word or name has them."""
    if text.count("-") >= 2 and text.replace("-", "").isalpha():
        return False
    changes = sum(one.isdigit() != other.isdigit() for one, other in itertools.pairwise(text))
    has_both = any(char.isdigit() for char in text) and any(char.isalpha() for char in text)
    return has_both and changes >= 4
