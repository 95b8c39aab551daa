"""How to make each Stream, Transformer and Generator of the package for the examination, in one table."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path

from doubles.plain_chat import HELLO, chat
from doubles.portaudio import FakeLibrary, devices_of, microphone_named
from doubles.provider_server import ProviderServer
from doubles.speech_examinees import realtime_speech, remote_recogniser, remote_synthesiser
from doubles.trickle import Trickle

from companion.app.captions import Captions
from companion.app.cloud import _Thinking
from companion.app.quiet import VoiceSwitch, Wishes
from companion.audio.echo import EchoCanceller
from companion.audio.files import FileMicrophone
from companion.audio.microphone import Microphone
from companion.audio.reference import PlayedSound
from companion.compose.held import HeldStream
from companion.compose.loader.tuned import TunedGenerator
from companion.compose.mux import GeneratorMux, TransformerMux, _Named
from companion.model import ModelParams
from companion.model.backends import backend_of
from companion.model.chat import ChatModel
from companion.model.laws import check_generator
from companion.providers.local.espeak import EspeakSynthesiser
from companion.providers.local.faster_whisper import WhisperRecogniser
from companion.providers.local.llama_cpp import LlamaGenerator
from companion.providers.local.phrases import PhraseCache
from companion.providers.local.piper import PiperSynthesiser
from companion.providers.remote.chat import RemoteChat
from companion.providers.remote.invoke import RemoteGenerator
from companion.providers.remote.realtime import RealtimeSpeech
from companion.providers.remote.speech import RemoteSynthesiser
from companion.providers.remote.transcription import RemoteRecogniser
from companion.providers.scripted import ScriptedGenerator, ScriptedRecogniser, ScriptedSynthesiser
from companion.providers.stand_in import StandInRecogniser, StandInVoice
from companion.stream import (
    MessageChunk,
    PulledStream,
    Role,
    Stream,
    StreamBuilder,
    StreamCtrl,
    Text,
    begin_of_stream,
    end_of_stream,
    pcm,
    stream_of,
    tee,
)
from companion.stream.chain import Chain
from companion.stream.channel import BuiltStream
from companion.stream.exam_upstream import _Source
from companion.stream.fork import ForkedStream
from companion.stream.fresh_ids import FreshIds
from companion.stream.invocation import Invocation
from companion.stream.laws import check_stream, check_transformer
from companion.stream.mp3 import Mp3Untagger
from companion.stream.outlet import Outlet
from companion.stream.realtime import RealtimeStream
from companion.voice.dock import AudioDock
from companion.voice.speech import SpeechCutter
from companion.voice.voiced import VoicedSound

SILENCE = bytes(640)
SOUND = [
    begin_of_stream("s", role=Role.USER),
    *[MessageChunk(Role.USER, part=pcm(SILENCE, 16_000), ctrl=StreamCtrl("s", timestamp=20 * n)) for n in range(5)],
    end_of_stream("s", role=Role.USER, part=pcm(b"", 16_000)),
    end_of_stream("s", role=Role.USER),
]
TYPED = [
    begin_of_stream("u", role=Role.USER),
    MessageChunk(Role.USER, part=Text("Say yes."), ctrl=StreamCtrl("u")),
    end_of_stream("u", role=Role.USER, part=Text("")),
    end_of_stream("u", role=Role.USER),
]
PIECES = [
    begin_of_stream("r", role=Role.MODEL),
    *[MessageChunk(Role.MODEL, part=Text(text, "en"), ctrl=StreamCtrl("r")) for text in ("Yes. ", "No.")],
    end_of_stream("r", role=Role.MODEL, part=Text("")),
    end_of_stream("r", role=Role.MODEL),
]
PATIENCE = 20.0
"""Seconds one wait for a real model may take."""


@dataclass(frozen=True, slots=True)
class Places:
    """shelf: asks for the folder of real models. folder: an empty one."""

    shelf: Callable[[], Path]
    folder: Path


async def pulled_stream(_: Places) -> None:
    async def make() -> Stream:
        return stream_of(PIECES)

    await check_stream(make, expect=PIECES)


async def built_stream(_: Places) -> None:
    async def make() -> Stream:
        builder = StreamBuilder(len(PIECES))
        await builder.add(*PIECES)
        builder.done()
        return builder.stream

    await check_stream(make, expect=PIECES)


async def source_of_the_examination(_: Places) -> None:
    async def make() -> Stream:
        source = _Source(PIECES)
        source.builder.done()
        return source

    await check_stream(make, expect=PIECES)


async def forked_stream(_: Places) -> None:
    async def make() -> Stream:
        main, mirror = tee(Trickle(PIECES))
        await mirror.close()
        return main

    await check_stream(make, expect=PIECES)


async def outlet(_: Places) -> None:
    async def make() -> Stream:
        invocation = Invocation()
        invocation.emit(invocation.start_response("r", role=Role.MODEL), *PIECES[:-2])
        invocation.done()
        return invocation.stream

    await check_stream(make, expect=PIECES)


async def realtime_stream(_: Places) -> None:
    async def make() -> Stream:
        stream = RealtimeStream(delay_ms=0)
        for chunk in SOUND:
            stream.push(chunk)
        stream.done()
        return stream

    await check_stream(make, expect=SOUND)


async def held_stream(_: Places) -> None:
    async def make() -> Stream:
        return HeldStream(Trickle(PIECES), lambda: None)

    await check_stream(make, expect=PIECES)


async def voiced_sound(_: Places) -> None:
    words = [MessageChunk(Role.MODEL, part=Text(word)) for word in ("one", "two", "three")]

    async def make() -> Stream:
        return VoicedSound(Trickle(words), on_caption=lambda _: None)

    await check_stream(make, expect=words)


async def file_microphone(_: Places) -> None:
    async def at_once(seconds: float) -> None:
        await asyncio.sleep(0)

    async def make() -> Stream:
        return FileMicrophone(SILENCE * 5, silence=0.1, pace=at_once)

    await check_stream(make)


async def microphone(_: Places) -> None:
    """Three blocks come, then somebody pulls the plug, and nobody waits for it to be plugged in again."""

    async def make() -> Stream:
        library = FakeLibrary([microphone_named("Yeti", 16_000)])
        blocks = iter([SILENCE] * 3)

        async def wait(event: asyncio.Event, seconds: float) -> bool:
            await asyncio.sleep(0)
            if event.is_set():
                return True
            device = library.streams[0]
            if block := next(blocks, b""):
                device.deliver(block)
            elif device.active:
                device.vanish()
            else:
                heard._inbox.closed.set()
            return True

        heard = Microphone(devices=devices_of(library), wait=wait)
        return heard

    await check_stream(make)


async def phrase_cache(places: Places) -> None:
    cache = PhraseCache(ScriptedSynthesiser(), places.folder, max_bytes=10_000_000)
    await check_transformer(lambda: cache, PIECES)
    await cache.prepare(["Yes."], "en")
    await check_transformer(lambda: cache, PIECES)


async def muxes(_: Places) -> None:
    generators, transformers = GeneratorMux(), TransformerMux()
    generators.register("g", ScriptedGenerator(["one two three"] * 100))
    transformers.register("t", ScriptedSynthesiser())
    await check_generator(generators, model="g")
    await check_transformer(lambda: transformers.named("t"), PIECES)


async def chain(_: Places) -> None:
    await check_transformer(lambda: Chain(ScriptedRecogniser(["hello"]), ScriptedSynthesiser()), SOUND)


async def audio_dock(_: Places) -> None:
    def make() -> AudioDock:
        return AudioDock(ScriptedGenerator([["Yes. ", "No."]]), voices=lambda name: ScriptedSynthesiser())

    await check_transformer(make, TYPED)


async def tuned_generator(_: Places) -> None:
    scripted = ScriptedGenerator(["one two three"] * 100)
    await check_generator(TunedGenerator(scripted, ModelParams(temperature=0.0), ModelParams()))


async def espeak(_: Places) -> None:
    program = shutil.which("espeak-ng")
    assert program, "espeak-ng is not installed"
    model = EspeakSynthesiser(Path(program))
    await check_transformer(lambda: model, PIECES, deadline=PATIENCE)


async def whisper(places: Places) -> None:
    model = WhisperRecogniser(places.shelf() / "whisper-tiny.en", threads=2)
    await model.load()
    await check_transformer(lambda: model, SOUND, deadline=PATIENCE)
    await model.close()


async def piper(places: Places) -> None:
    voice = places.shelf() / "piper-en_US-joe-medium" / "en_US-joe-medium.onnx"
    model = PiperSynthesiser({"en": voice}, threads=2, variation=0.0)
    await model.load()
    await check_transformer(lambda: model, PIECES, deadline=PATIENCE)
    await model.close()


class Hello:
    """Hears a greeting in everything."""

    async def hear(self, sound: bytes) -> Text:
        return Text("hello")


async def stand_ins(_: Places) -> None:
    voice = ScriptedSynthesiser()
    await check_transformer(lambda: StandInRecogniser([("a", Hello()), ("b", Hello())], patience=PATIENCE), SOUND)
    await check_transformer(lambda: StandInVoice([("a", voice), ("b", voice)], patience=PATIENCE), PIECES)


async def thinking(_: Places) -> None:
    await check_generator(_Thinking(backend_of(ScriptedGenerator(["one two three"] * 100)), None))


async def remote_chat(_: Places) -> None:
    # The examination looks for tasks, and the server has one for each connection.
    alone = replace(HELLO, headers={"connection": "close"})
    async with ProviderServer([alone]) as server, chat(server.url) as model:
        await check_generator(model, deadline=PATIENCE)


async def llama(places: Places) -> None:
    model = LlamaGenerator(places.shelf() / "smollm2-135m" / "SmolLM2-135M-Instruct.Q4_1.gguf", threads=2)
    await model.load()
    await check_generator(model, deadline=PATIENCE)
    await model.close()


EXAMINATIONS: dict[type, Callable[[Places], Awaitable[None]]] = {
    AudioDock: audio_dock,
    BuiltStream: built_stream,
    Captions: lambda _: check_transformer(Captions, PIECES),
    Chain: chain,
    ChatModel: lambda _: check_generator(ChatModel(ScriptedGenerator(["one two three"] * 100))),
    EchoCanceller: lambda _: check_transformer(lambda: EchoCanceller(PlayedSound(), lambda ms: None), SOUND),
    EspeakSynthesiser: espeak,
    FileMicrophone: file_microphone,
    ForkedStream: forked_stream,
    FreshIds: lambda _: check_transformer(FreshIds, SOUND),
    GeneratorMux: muxes,
    HeldStream: held_stream,
    LlamaGenerator: llama,
    Microphone: microphone,
    Mp3Untagger: lambda _: check_transformer(Mp3Untagger, SOUND),
    Outlet: outlet,
    PhraseCache: phrase_cache,
    PiperSynthesiser: piper,
    PulledStream: pulled_stream,
    RealtimeSpeech: lambda _: realtime_speech(SOUND),
    RealtimeStream: realtime_stream,
    RemoteChat: remote_chat,
    RemoteGenerator: lambda _: check_generator(RemoteGenerator(backend_of(ScriptedGenerator(["one two three"] * 100)))),
    RemoteRecogniser: lambda _: remote_recogniser(SOUND),
    RemoteSynthesiser: lambda _: remote_synthesiser(PIECES),
    ScriptedGenerator: lambda _: check_generator(ScriptedGenerator(["one two three"] * 100)),
    ScriptedRecogniser: lambda _: check_transformer(lambda: ScriptedRecogniser(["hello"]), SOUND),
    ScriptedSynthesiser: lambda _: check_transformer(ScriptedSynthesiser, PIECES),
    StandInRecogniser: stand_ins,
    StandInVoice: stand_ins,
    SpeechCutter: lambda _: check_transformer(lambda: SpeechCutter("en"), PIECES),
    TunedGenerator: tuned_generator,
    VoicedSound: voiced_sound,
    VoiceSwitch: lambda _: check_transformer(lambda: VoiceSwitch(ScriptedSynthesiser(), Wishes()), PIECES),
    WhisperRecogniser: whisper,
    _Named: muxes,
    _Source: source_of_the_examination,
    _Thinking: thinking,
}
