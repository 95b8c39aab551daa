"""Turns the voice up and down."""

from __future__ import annotations

from companion.agent.plugin import Reply, Request, SetVolume
from companion.talents.phrases import Phrases
from companion.talents.spoken.numbers import number_of

STEP = 0.15
"""How much "louder" changes a volume of 0 to 1."""

_SAY = Phrases(
    {
        "volume.up": ("Okay.", "好的。"),
        "volume.down": ("Okay.", "好的。"),
        "volume.mute": ("Muted.", "已静音。"),
        "volume.unmute": ("Okay.", "好的。"),
        "volume.most": ("Full volume.", "音量最大。"),
        "volume.set": ("Volume {level} percent.", "音量百分之{level}。"),
        "range": ("Give me a volume from 0 to 100 percent.", "请说一个0到100之间的音量。"),
    }
)


class Volume:
    """Answers volume commands with SetVolume.

    usual: the volume to come back to after "unmute", 0 to 1.
    """

    name = "volume"
    intents = frozenset({"volume.up", "volume.down", "volume.set", "volume.mute", "volume.unmute", "volume.most"})

    def __init__(self, usual: float) -> None:
        self.usual = usual

    async def answer(self, request: Request) -> Reply:
        said = request.slots.get("level")
        level = None if said is None else level_of(said)
        if said is not None and level is None:
            return Reply(_SAY.say("range", request.language))
        text = _SAY.say(request.intent, request.language, level=str(round(100 * (level or 0.0))))
        return Reply(text, (self._change(request.intent, level),))

    def _change(self, intent: str, level: float | None) -> SetVolume:
        match intent:
            case "volume.up":
                return SetVolume(change=STEP if level is None else level)
            case "volume.down":
                return SetVolume(change=-(STEP if level is None else level))
            case "volume.mute":
                return SetVolume(0.0)
            case "volume.most":
                return SetVolume(1.0)
            case "volume.set":
                return SetVolume(level)
            case _:
                return SetVolume(self.usual)

    def frequent_replies(self, language: str) -> tuple[str, ...]:
        return _SAY.frequent(language)


def level_of(words: str) -> float | None:
    """The level, 0 to 1, that is meant by "50 percent", "百分之五十", or "7" on a scale of ten; None where none is."""
    bare = words.removesuffix("percent").removesuffix("%").removeprefix("百分之").strip()
    number = number_of(bare)
    if number is None:
        return None
    hundredth = bare != words or number > 10
    level = number / (100 if hundredth else 10)
    return float(level) if 0 <= level <= 1 else None
