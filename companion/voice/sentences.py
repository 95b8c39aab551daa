"""What the companion says when something went wrong, in the user's language."""

from __future__ import annotations

from typing import Final

from companion.settings.language import primary
from companion.voice.cues import Problem

_ENGLISH: Final = {
    Problem.HEARING_FAILED: "Sorry, I could not make that out. Please say it again.",
    Problem.HEARING_SLOW: "Sorry, I could not keep up. Please say it again.",
    Problem.THINKING_FAILED: "Sorry, I can't answer right now.",
    Problem.THINKING_SLOW: "Sorry, that took me too long. Please ask again.",
    Problem.MODEL_DIED: "Sorry, I lost my train of thought. Please ask again.",
    Problem.VOICE_FAILED: "I have no voice right now.",
    Problem.VOICE_SLOW: "My voice did not start in time.",
    Problem.REPLY_STUCK: "My reply got stuck.",
    Problem.NO_SPEAKER: "I can't reach the loudspeaker.",
    Problem.MICROPHONE_LOST: "I lost the microphone while you spoke. Please say it again.",
}
_CHINESE: Final = {
    Problem.HEARING_FAILED: "抱歉，我没听清，请再说一遍。",
    Problem.HEARING_SLOW: "抱歉，我没跟上，请再说一遍。",
    Problem.THINKING_FAILED: "抱歉，我现在回答不了。",
    Problem.THINKING_SLOW: "抱歉，想得太久了，请再问一次。",
    Problem.MODEL_DIED: "抱歉，我的思路断了，请再问一次。",
    Problem.VOICE_FAILED: "我现在发不出声音。",
    Problem.VOICE_SLOW: "我的声音没有及时出来。",
    Problem.REPLY_STUCK: "我的回答卡住了。",
    Problem.NO_SPEAKER: "我找不到扬声器。",
    Problem.MICROPHONE_LOST: "你说话时麦克风断开了，请再说一遍。",
}
_DEAF: Final = {"en": "I can't hear you: the microphone is gone.", "zh": "我听不见：麦克风不见了。"}
_LANGUAGES: Final = {"en": _ENGLISH, "zh": _CHINESE}
_MENDS: Final = {
    Problem.NO_SPEAKER: "run `companion devices` to see what is connected",
    Problem.MICROPHONE_LOST: "plug it in again, or run `companion devices`",
    Problem.THINKING_FAILED: "run `companion doctor`",
    Problem.VOICE_FAILED: "run `companion doctor`",
    Problem.HEARING_FAILED: "run `companion doctor`",
}


def language_of(language: str) -> str:
    """The language these sentences are said in where the user speaks ``language`` (a BCP 47 tag)."""
    bare = primary(language)
    return bare if bare in _LANGUAGES else "en"


def sentence(problem: Problem, language: str) -> str:
    """What to say about the problem; English where the language is not known here."""
    return _LANGUAGES[language_of(language)][problem]


def deaf_sentence(language: str) -> str:
    """What to show while there is no microphone."""
    return _DEAF[language_of(language)]


def mend(problem: Problem) -> str:
    """What a person can do about it; empty where there is nothing but to try again."""
    return _MENDS.get(problem, "")


def spoken_sentences(language: str) -> tuple[str, ...]:
    """Those that are said aloud, worth synthesising beforehand."""
    return tuple(sentence(problem, language) for problem in Problem if problem.can_be_spoken)
