"""Language tags (BCP 47): which language one means, and what "auto" stands for until somebody has spoken."""

from __future__ import annotations

AUTO = "auto"
"""The setting by which the language is told from each turn."""


def primary(tag: str) -> str:
    """The language itself, in lower case: "zh" of "zh-CN" and of "zh_CN"."""
    return tag.replace("_", "-").partition("-")[0].lower()


def or_english(tag: str) -> str:
    """The tag; English where the language is still to be told from what is heard."""
    return "en" if tag == AUTO else tag
