"""When not to believe a recogniser: texts that run in circles, and texts it invents where nobody spoke."""

from __future__ import annotations

import re
import zlib

_LONGEST_PHRASE = 8
"""Words; longer circles are found by how well the text compresses."""
_SQUEEZED = 2.4
"""Times that text in circles compresses; real sentences stay below (Radford et al. 2022, section 4.5)."""

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+(?:['’][^\W_]+)*")

_PHANTOMS = frozenset(
    {
        # What Whisper learnt from subtitles and writes into silence, noise and music.
        "you", "thank you", "thank you very much", "thank you so much", "thanks", "bye", "bye bye", "so", "okay", "oh",
        "thanks for watching", "thank you for watching", "thank you so much for watching", "please subscribe",
        "thanks for watching and see you next time", "thank you for watching and see you next time",
        "don't forget to like and subscribe", "please like and subscribe", "like and subscribe", "subscribe",
        "i'll see you in the next video", "see you in the next video", "see you next time", "see you next video",
        "subtitles by the amara org community", "subtitles by amara org", "music", "applause", "laughter", "silence",
        "transcription by castingwords", "transcribed by https otter ai", "the end", "i'm sorry", "hmm", "mm", "uh",
        # Chinese, Japanese, Korean: one word a character.
        *(" ".join(text) for text in (
            "谢谢观看", "謝謝觀看", "谢谢大家", "謝謝大家", "谢谢", "字幕志愿者", "请订阅", "請訂閱",
            "请不吝点赞订阅转发打赏支持明镜与点点栏目", "請不吝點贊訂閱轉發打賞支持明鏡與點點欄目",
            "ご視聴ありがとうございました", "ありがとうございました", "おやすみなさい",
            "시청해주셔서감사합니다", "감사합니다", "구독과좋아요부탁드립니다",
        )),
        # German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian, Turkish.
        "vielen dank", "danke", "tschüss", "bis zum nächsten mal", "vielen dank fürs zuschauen",
        "untertitel der amara org community", "untertitelung des zdf 2020",
        "merci", "merci d'avoir regardé cette vidéo", "sous titres réalisés par la communauté d'amara org",
        "sous titrage société radio canada", "sous titrage st' 501",
        "gracias", "gracias por ver", "gracias por ver el video", "subtítulos realizados por la comunidad de amara org",
        "suscríbete", "grazie", "grazie a tutti", "sottotitoli creati dalla comunità amara org",
        "obrigado", "legendas pela comunidade amara org", "obrigado por assistir", "bedankt", "bedankt voor het kijken",
        "ondertitels ingediend door de amara org gemeenschap", "dziękuję", "dziękuję za uwagę",
        "napisy stworzone przez społeczność amara org", "спасибо", "продолжение следует", "субтитры сделал dimatorzok",
        "субтитры создавал dimatorzok", "спасибо за просмотр", "teşekkürler", "izlediğiniz için teşekkür ederim",
        "altyazı m k",
    }
)  # fmt: skip


def words_of(text: str) -> list[str]:
    """The words without marks, lower case; where a script has no spaces, its characters."""
    return _WORD.findall(text.lower().replace("’", "'"))


def runs_in_circles(text: str) -> bool:
    """Whether the text says the same phrase three times in a row, or is nothing but one phrase twice."""
    words = words_of(text)
    for length in range(1, min(_LONGEST_PHRASE, len(words) // 2) + 1):
        if len(words) == 2 * length and words[:length] == words[length:]:
            return True
        matches = 0
        for one, other in zip(words, words[length:], strict=False):
            matches = matches + 1 if one == other else 0
            if matches == 2 * length:
                return True
    raw = text.encode()
    return len(raw) / len(zlib.compress(raw)) > _SQUEEZED


def is_phantom(text: str) -> bool:
    """Whether it is one of the phrases that recognisers invent; people also say some of them."""
    return " ".join(words_of(text)) in _PHANTOMS
