"""Searches the user's own notes and documents."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from companion.agent.plugin import Recalled, Reply, Request
from companion.errors import CompanionError, PluginError
from companion.talents.memory_phrases import as_said
from companion.talents.phrases import Phrases

LONGEST = 240
"""Characters of a passage that are said."""

_SAY = Phrases(
    {
        "found": ("In {place}: {text}", "在{place}中：{text}"),
        "nothing": ("I found nothing about that in your notes.", "在您的笔记里没有找到。"),
        "unreachable": ("I can't search your notes right now.", "我现在无法搜索您的笔记。"),
    }
)


class Knowledge:
    """Answers "search my notes for ...".

    search: the passages that fit best, each with its place as source.
    """

    name = "knowledge"
    intents = frozenset({"knowledge.search"})

    def __init__(self, search: Callable[[str], Awaitable[Sequence[Recalled]]]) -> None:
        self._search = search

    async def answer(self, request: Request) -> Reply:
        try:
            found = await self._search(as_said(request, "query"))
        except CompanionError as error:
            text = _SAY.say("unreachable", request.language)
            raise PluginError(text, plugin=self.name, mend=error.mend) from error
        if not found:
            return Reply(_SAY.say("nothing", request.language))
        text = shortened(found[0].text, LONGEST)
        said = _SAY.say("found", request.language, place=_place(found[0].source), text=text)
        return Reply(said, quotes="notes")

    def frequent_replies(self, language: str) -> tuple[str, ...]:
        return _SAY.frequent(language)


def shortened(text: str, most: int) -> str:
    """The beginning of a passage, cut behind a sentence, else behind a word."""
    plain = " ".join(text.split())
    if len(plain) <= most:
        return plain
    cut = plain[:most]
    for ends in ((". ", "! ", "? "), ("。", "！", "？"), (" ", "，")):
        place = max(cut.rfind(end) for end in ends)
        if place > most // 3:
            return cut[: place + 1].strip()
    return cut


def _place(source: str) -> str:
    """Where it stands, as one says it: without the ending of the file's name, which nobody says."""
    return source.replace("/content.md", "").replace(".md", "").replace(".txt", "")
