"""A folder of configuration files makes models of this machine that hear, think and speak."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backends.fail import Keyring as NoKeyring

from companion.app.model_folder import ModelMuxes, model_loader
from companion.app.models import ModelRoom
from companion.app.paths import Paths
from companion.app.shelf import build_shelf
from companion.audio.resample import resample, samples_of
from companion.compose.loader import ModelLoader
from companion.errors import ModelConfigError, NotRegistered
from companion.insight.labeler import LabelInput
from companion.model import ChatRole, FuncTool, Message, ModelContext
from companion.settings.schema import Settings
from companion.stream import (
    Blob,
    FuncCall,
    MessageChunk,
    Role,
    Status,
    Stream,
    StreamCtrl,
    Text,
    Usage,
    begin_of_stream,
    end_of_stream,
    pcm,
    pcm_format,
    stream_of,
)

LOCAL = """
schema: llama_cpp/chat/v1
type: generator
default_params: {context_tokens: 512, threads: 2}
models:
  - name: local/+
    model: MODEL
    generate_params: {temperature: 0, max_tokens: LIMIT}
"""
EARS = """
schema: faster_whisper/transcribe/v1
type: asr
default_params: {language: en}
models: [{name: ears, model: whisper-tiny.en}]
"""
VOICE = '{"schema": "piper/speak", "type": "tts", "voices": [{"name": "voice", "voice_id": "piper-en_US-joe-medium"}]}'
LABELER = "schema: genx/labeler/v1\ntype: labeler\nmodels: [{name: labels, model: local/any}]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of configuration files, with the home of its user beside it."""
    folder = tmp_path / "config"
    folder.mkdir()
    return folder


def loader(folder: Path, muxes: ModelMuxes, shelf: Path | None = None) -> ModelLoader:
    paths = Paths.under(folder.parent / "home")
    return model_loader(folder, muxes, ModelRoom.of(Settings(), paths, build_shelf(shelf or paths.shelf)))


def local(model: str = "smollm2-135m", limit: int = 4) -> str:
    return LOCAL.replace("MODEL", model).replace("LIMIT", str(limit))


async def words_of(stream: Stream) -> str:
    return "".join([chunk.part.text async for chunk in stream if isinstance(chunk.part, Text)])


def spoken(text: str) -> Stream:
    piece = MessageChunk(Role.MODEL, part=Text(text, "en"), ctrl=StreamCtrl("s"))
    last = end_of_stream("s", role=Role.MODEL, part=Text(""))
    return stream_of([begin_of_stream("s", role=Role.MODEL), piece, last, end_of_stream("s", role=Role.MODEL)])


def heard(sound: bytes) -> Stream:
    piece = MessageChunk(Role.USER, part=pcm(sound, 16_000), ctrl=StreamCtrl("u"))
    last = end_of_stream("u", role=Role.USER, part=pcm(b"", 16_000))
    return stream_of([begin_of_stream("u", role=Role.USER), piece, last, end_of_stream("u", role=Role.USER)])


async def test_what_a_voice_of_the_folder_says_a_recogniser_of_the_folder_hears(
    folder: Path, shelf_folder: Path
) -> None:
    (folder / "ears.yaml").write_text(EARS)
    (folder / "voice.json").write_text(VOICE)
    muxes = ModelMuxes()
    loading = loader(folder, muxes, shelf_folder)
    assert (await loading.load()).names == ("ears", "voice")

    said = [chunk.part async for chunk in await muxes.transformers.transform("voice", spoken("Good morning."))]
    blobs = [part for part in said if isinstance(part, Blob)]
    rate, _ = pcm_format(blobs[0].mime_type) or (0, 0)
    samples = resample(samples_of(b"".join(blob.data for blob in blobs)), rate, 16_000)
    words = await words_of(await muxes.transformers.transform("ears", heard(samples.tobytes())))

    assert "good morning" in words.lower()
    await loading.close()


async def test_an_answer_of_a_real_model_goes_on_while_the_model_is_replaced(folder: Path, shelf_folder: Path) -> None:
    (folder / "local.yaml").write_text(local(limit=8))
    muxes = ModelMuxes()
    loading = loader(folder, muxes, shelf_folder)
    await loading.load()
    context = ModelContext(messages=(Message.of(ChatRole.USER, "Count from one to nine."),))
    old = muxes.generators.find("local/a").value
    running = await muxes.generators.generate_stream(context, model="local/a")
    assert (await running.next()).is_begin

    (folder / "local.yaml").write_text(local(limit=2))
    report = await loading.load()

    assert report.made == 1
    assert muxes.generators.find("local/a").value is not old
    assert await words_of(running)
    assert running.state is not None
    assert running.state.status in (Status.DONE, Status.TRUNCATED)
    assert running.state.usage.completion_tokens > 2
    short = await muxes.generators.generate_stream(context, model="local/b")
    assert await words_of(short)
    assert short.state is not None
    assert short.state.usage.completion_tokens == 2
    await loading.close()


async def test_a_file_of_a_model_may_be_named_by_its_path(folder: Path, shelf_folder: Path) -> None:
    shutil.copytree(shelf_folder / "smollm2-135m", folder / "own")
    (file,) = (folder / "own").glob("*.gguf")
    (folder / "deep").mkdir()
    (folder / "deep" / "local.yaml").write_text(local(f"../own/{file.name}"))
    muxes = ModelMuxes()
    loading = loader(folder, muxes)

    assert (await loading.load()).names == ("local/+",)
    assert await words_of(await muxes.generators.generate_stream(ModelContext(), model="local/x"))
    await loading.close()


@pytest.mark.parametrize(
    ("content", "field", "why"),
    [
        (local("whisper-base"), "models[0].model", "is 'whisper-base', which is no language model"),
        (local("qwen3-4b"), "models[0].model", "cannot be used: qwen3-4b"),
        (local("./gone.gguf"), "models[0].model", "names TOP/gone.gguf, which is no file that ends in .gguf"),
        (local().replace("threads: 2", "threads: 0"), "default_params.threads", "must be a whole number of 1 or more"),
        (local().replace("threads", "treads"), "default_params.treads", "is not known here"),
        (local().replace("/chat/v1", "/chat/v9"), "schema", "is 'llama_cpp/chat/v9'"),
        (EARS.replace("transcribe", "listen"), "schema", "is 'faster_whisper/listen/v1'"),
        (EARS.replace("whisper-tiny.en", "./"), "models[0].model", "names TOP, which holds no model.bin"),
        (EARS.replace(", model: whisper-tiny.en", ""), "models[0].model", "is missing"),
        (VOICE.replace("piper-en_US-joe-medium", "./a.onnx"), "voices[0].voice_id", "needs TOP/a.onnx.json"),
    ],
)
async def test_what_a_local_model_cannot_be_made_of_is_named(folder: Path, content: str, field: str, why: str) -> None:
    (folder / "a.onnx").write_text("")
    file = folder / "bad.yaml"
    file.write_text(content)
    muxes = ModelMuxes()

    with pytest.raises(ModelConfigError) as refused:
        await loader(folder, muxes).load()

    assert str(refused.value).startswith(f"{file}: {field} {why.replace('TOP', str(folder))}")
    assert muxes.generators.patterns == muxes.transformers.patterns == ()


async def test_what_reads_text_asks_the_generators_of_the_folder_by_name(folder: Path) -> None:
    (folder / "labels.yaml").write_text(LABELER)
    muxes = ModelMuxes()
    loading = loader(folder, muxes)
    await loading.load()
    asked = LabelInput("my cat", ("pet", "car"))

    with pytest.raises(NotRegistered, match="no generator is registered for 'local/any'"):
        await muxes.labelers.process("labels", asked)
    muxes.generators.register("local/#", AlwaysCalls('{"matches": [{"label": "pet", "score": 1}]}'))
    found = await muxes.labelers.process("labels", asked)

    assert [match.label for match in found.matches] == ["pet"]
    await loading.close()


@pytest.fixture
def _no_keyring() -> Iterator[None]:
    before = keyring.get_keyring()
    keyring.set_keyring(NoKeyring())
    yield
    keyring.set_keyring(before)


@pytest.mark.usefixtures("_no_keyring")
async def test_a_key_in_the_users_secrets_is_found(folder: Path) -> None:
    paths = Paths.under(folder.parent / "home")
    paths.prepare()
    paths.secrets_file.write_text('{"openai": "sk-secret"}')
    text = "kind: openai\napi_key: keyring:{}\nmodels: [{{name: {}, model: m}}]\n"
    for name in ("openai", "other"):
        (folder / f"{name}.yaml").write_text(text.format(name, name))

    loading = loader(folder, ModelMuxes())
    report = await loading.load()

    assert report.names == ("openai",)
    assert [each.reason for each in report.left_out] == ["api_key: the keyring holds no 'other'"]
    await loading.close()


class AlwaysCalls:
    """A generator that calls every tool with the same arguments."""

    def __init__(self, arguments: str) -> None:
        self._arguments = arguments

    async def generate_stream(self, context: ModelContext, *, model: str = "") -> Stream:
        return stream_of([])

    async def invoke(self, context: ModelContext, tool: FuncTool, *, model: str = "") -> tuple[Usage, FuncCall]:
        return Usage(), FuncCall(tool.name, self._arguments)
