"""From a question to the first sound of its answer, with the agent in front of the model and without it.

``python tests/bench/agent_sound.py SHELF [rounds]``, SHELF being a folder of models: a real language model and a real
voice. Both ways take turns in one run, and ask the same with the same prompt, so that what differs is the agent.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

from companion.agent.answer import Said
from companion.agent.clock import local_clock
from companion.agent.prompt import PromptBuilder
from companion.app.mind import build_mind
from companion.app.models import ModelRoom
from companion.app.paths import Paths
from companion.app.personality import personality
from companion.app.shelf import build_shelf
from companion.compose.session import MemorySession
from companion.providers.local.piper import PiperSynthesiser
from companion.settings.schema import History, Models, Settings
from companion.stream import Blob, MessageChunk, Stream
from companion.voice.speech import SpeechCutter

QUESTIONS = ("Why is the sky blue?", "What do bees do in winter?", "How do I boil an egg?", "What makes bread rise?")
SETTINGS = Settings(models=Models(threads=2, temperature=0.0), history=History(keep=False))


async def first_sound(text: Stream, voice: PiperSynthesiser) -> float:
    """When the first sound of a text is there; the rest is let go of."""
    sound = await voice.transform(await SpeechCutter("en").transform(text))
    try:
        async for chunk in sound:
            if isinstance(chunk, MessageChunk) and isinstance(chunk.part, Blob):
                return time.perf_counter()
    finally:
        await sound.close()
    raise SystemExit("the model said nothing")


async def measure(shelf: Path, rounds: int) -> dict[str, list[float]]:
    taken: dict[str, list[float]] = {"bare": [], "agent": []}
    with tempfile.TemporaryDirectory() as folder:
        paths = Paths.under(Path(folder))
        paths.prepare()
        room = ModelRoom.of(SETTINGS, paths, build_shelf(shelf))
        model, voice = room.language_model(), room.voice()
        mind = await build_mind(SETTINGS, paths, model)
        prompts = PromptBuilder(MemorySession(), personality(paths.personal).prompt.text, SETTINGS, model.count_tokens)
        await model.load()
        await voice.load()
        for number in range(rounds + 2):
            said = Said(QUESTIONS[number % len(QUESTIONS)], "en")
            for way in ("bare", "agent") if number % 2 else ("agent", "bare"):
                await model.warm(mind.agent.past())
                began = time.perf_counter()
                if way == "bare":
                    text: Stream = await model.generate_stream(prompts.context(said, local_clock()()).context)
                else:
                    text = (await mind.agent.answer(said)).text
                seconds = await first_sound(text, voice) - began
                if number >= 2:
                    taken[way].append(seconds)
        await mind.close()
        await voice.close()
        await model.close()
    return taken


def main() -> None:
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    for way, seconds in asyncio.run(measure(Path(sys.argv[1]), rounds)).items():
        print(f"{way:6} median {median(seconds):.3f} s, p95 {quantiles(seconds, n=20)[-1]:.3f} s")


if __name__ == "__main__":
    main()
