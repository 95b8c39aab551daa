"""The rules that come with the program, compiled once for all tests."""

from functools import cache
from pathlib import Path

from companion.insight.match import Matcher

COMMANDS = Path(__file__).parents[2] / "assets" / "commands"


@cache
def matcher(language: str) -> Matcher:
    file = COMMANDS / f"{language}.toml"
    return Matcher.parse(file.read_text(encoding="utf-8"), file=file.name)
