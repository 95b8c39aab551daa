"""The words of a text as they are looked up: English by its stems, Chinese by characters and pairs of them.

Chinese is written without spaces, so a run of it gives each character and each two that follow each other. Words that
are in every sentence ("the", "的") tell nothing and are left out, at writing and at asking alike. Marks on letters
do not count: "café" is found as "cafe".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator

from companion.memory.stem import stem

LONGEST_WORD = 40
"""Characters; what is longer is cut."""
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
"""Writing without spaces between words, or as good as that: Chinese, kana, hangul."""
_RUNS = re.compile(rf"(?P<han>[{_HAN}]+)|(?P<word>[^\W_{_HAN}]+(?:['’][^\W\d_{_HAN}]+)?)")
_ENDING = re.compile(r"['’].*$")

STOP_WORDS = frozenset(
    "a an the is are was were be been being am do does did doing have has had having of to in on at for with by from "
    "about as into like through after over between out against during without before under around among and or but "
    "if because so than too very can could will would should may might must shall i you he she it we they me him her "
    "us them my your his its our their this that these those there here what which who whom whose when where why how "
    "s t d ll m re ve don not no nor only own same such some any each few more most other all both just also"
    " didn doesn isn wasn aren couldn wouldn shouldn haven hasn hadn won".split()
)
STOP_CHARACTERS = frozenset(
    "的了是我你他她它们在有和与及或吗呢吧啊呀么嘛什谁哪怎这那个就也都很不没要会能可以到说对把被给让从为还又再着过得地之其"
)


def words_of(text: str) -> list[str]:
    """Every word of ``text`` worth finding, in its order, as often as it comes."""
    return [word for run in _runs(text) for word in run]


def asked_words(text: str) -> list[str]:
    """The words to look up for a question, each once."""
    return list(dict.fromkeys(words_of(text)))


def telling_words(text: str, beside: Container[str] = ()) -> list[str]:
    """The words of ``text`` as they are written, in lower case, without those whose stem is in ``beside``."""
    runs = (_ENDING.sub("", run.group()) for run in _RUNS.finditer(plain(text)))
    return [word for word in runs if word not in STOP_WORDS and stem(word) not in beside]


def plain(text: str) -> str:
    """Without case, width and marks on letters."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKD", text).casefold()
    bare = "".join(char for char in folded if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", bare)


def _runs(text: str) -> Iterator[list[str]]:
    for run in _RUNS.finditer(plain(text)):
        if run.lastgroup == "han":
            yield list(_of_han(run.group()))
        elif (word := _ENDING.sub("", run.group())) not in STOP_WORDS:
            yield [stem(word[:LONGEST_WORD])]


def _of_han(run: str) -> Iterator[str]:
    for place, char in enumerate(run):
        if char not in STOP_CHARACTERS:
            yield char
            if place + 1 < len(run) and run[place + 1] not in STOP_CHARACTERS:
                yield run[place : place + 2]
