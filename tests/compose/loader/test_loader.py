"""A folder of files becomes models that can be called, as a whole or not at all."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from doubles.model_folder import Made, ModelFolder, toy

from companion.compose.loader import Credentials, Entry, Missing, ModelLoader, ModelType, generator_department
from companion.compose.patterns import Registration
from companion.errors import ModelConfigError, NotRegistered, PatternError
from companion.model import ChatRequest, FuncTool, Generator, ModelContext, ModelParams
from companion.model.backends import backend_of
from companion.stream import stream_of

TOYS: Mapping[tuple[ModelType, str], Callable[[Entry], Made]] = {(ModelType.GENERATOR, "toy"): Made}


@pytest.fixture
def folder(tmp_path: Path) -> ModelFolder:
    return ModelFolder(tmp_path / "models", TOY_KEY="sk-secret")


async def test_a_key_that_is_not_set_leaves_its_file_out_and_the_rest_is_loaded(folder: ModelFolder) -> None:
    folder.write("a.json", toy("a/unset", api_key="$UNSET"))
    folder.write("b.json", toy("b/literal", api_key="prefix-$TOY_KEY"))
    folder.write("c.json", toy("c/set", api_key="${TOY_KEY}"))

    report = await folder.loader.load()

    assert report.names == ("b/literal", "c/set")
    (left_out,) = report.left_out
    assert (left_out.entry.name, left_out.reason) == ("a/unset", "api_key: the variable UNSET is not set")
    assert [made.entry.keys.api_key for made in folder.made] == ["prefix-$TOY_KEY", "sk-secret"]
    await folder.loader.close()


async def test_all_seven_types_are_made_from_json_and_yaml_in_any_depth(folder: ModelFolder) -> None:
    folder.write("one/two/generator.json", toy("gen/one", "gen/two"))
    folder.write("asr.yml", "schema: toy/asr\ntype: asr\nmodels:\n  - name: asr/one\n    resource_id: r\n")
    folder.write("tts.yaml", "schema: toy/tts/v2\ntype: tts\nvoices:\n  - {name: tts/one, voice_id: v, cluster: c}\n")
    folder.write("duplex.yaml", "schema: toy/realtime/duplex/v1\ntype: realtime\nmodels: [{name: rt/one, voice: v}]\n")
    for kind in (ModelType.SEGMENTOR, ModelType.LABELER, ModelType.PROFILER):
        folder.write(
            f"{kind}.yaml", f"schema: genx/{kind}/v1\ntype: {kind}\nmodels: [{{name: {kind}/x, model: gen/+}}]\n"
        )
    folder.write("notes.txt", "not a configuration")
    folder.write(".draft.yaml", "{")

    report = await folder.loader.load()

    names = ("asr/one", "rt/one", "labeler/x", "gen/one", "gen/two", "profiler/x", "segmentor/x", "tts/one")
    assert report.names == names
    assert folder.patterns() == set(names)
    assert await folder.say("gen/two") == "m m m"
    assert await folder.segmentors.process("segmentor/x", "hello") == "gen/+: hello"
    source = stream_of([])
    assert await folder.transformers.named("tts/one").transform(source)
    duplex = folder.transformers.find("rt/one").value
    assert isinstance(duplex, Made)
    assert (duplex.entry.schema.subject, duplex.entry.schema.version) == ("realtime/duplex", "v1")
    await folder.loader.close()
    assert folder.patterns() == set()


async def test_the_same_folder_gives_the_same_report_in_any_order_of_writing(
    folder: ModelFolder, tmp_path: Path
) -> None:
    other = ModelFolder(tmp_path / "other")
    for number in range(5):
        folder.write(f"{number}/x.json", toy(f"n/{number}"))
        other.write(f"{4 - number}/x.json", toy(f"n/{4 - number}"))

    assert (await folder.loader.load()).names == (await other.loader.load()).names == tuple(f"n/{n}" for n in range(5))


async def test_a_legacy_file_is_a_generator_of_its_kind_and_says_that_it_is_not_built_in_yet(
    folder: ModelFolder,
) -> None:
    for kind in ("openai", "gemini"):
        folder.write(f"{kind}.yaml", f"kind: {kind}\napi_key: key\nmodels: [{{name: {kind}/x, model: m}}]\n")

    report = await folder.loader.load()

    assert report.names == ()
    assert [(each.entry.type, str(each.entry.schema), each.reason) for each in report.left_out] == [
        (ModelType.GENERATOR, "gemini/chat/v1", "gemini is not built in yet"),
        (ModelType.GENERATOR, "openai/chat/v1", "openai is not built in yet"),
    ]


async def test_a_provider_that_needs_a_key_is_left_out_without_one(folder: ModelFolder) -> None:
    voices = [{"name": "v", "voice_id": "x"}]
    folder.write("a.json", {"schema": "doubao/tts/v1", "type": "tts", "api_key": "k", "voices": voices})
    folder.write("b.json", {"schema": "ollama/chat/v1", "type": "generator", "models": [{"name": "g", "model": "m"}]})

    assert [each.reason for each in (await folder.loader.load()).left_out] == [
        "app_id is missing",
        "ollama is not built in yet",
    ]


async def test_what_is_objected_to_is_left_out_and_what_is_shared_is_closed_last(folder: ModelFolder) -> None:
    order: list[str] = []

    class Shared:
        async def close(self) -> None:
            order.append("shared" if folder.made[0].closed else "too early")

    def objection(entry: Entry) -> Missing | None:
        return Missing("it rains", "Wait.") if entry.name == "b" else None

    department = generator_department(folder.generators, {(ModelType.GENERATOR, "toy"): folder.make})
    loader = ModelLoader(
        folder.folder, (department,), Credentials({}, {}.get), objection=objection, shared=(Shared(), Shared())
    )
    folder.write("a.json", toy("a", "b"))
    voices = [{"name": "v", "voice_id": "x"}]
    folder.write("b.json", {"schema": "openai/tts", "type": "tts", "voices": voices})

    report = await loader.load()
    await loader.close()

    assert report.names == ("a",)
    assert [each.reason for each in report.left_out] == ["it rains", "openai is not built in yet"]
    assert order == ["shared", "shared"]


async def test_a_subject_that_its_maker_does_not_know_is_named_with_the_nearest(folder: ModelFolder) -> None:
    known = {(ModelType.GENERATOR, "toy"): ("chat", "talk")}
    department = generator_department(folder.generators, TOYS, subjects=known)
    loader = ModelLoader(folder.folder, (department,), Credentials({}, {}.get))
    file = folder.write("a.json", toy("a", api_key="$UNSET", schema="toy/chatt/v1"))
    with pytest.raises(ModelConfigError, match="schema is 'toy/chatt/v1'") as refused:
        await loader.load()
    assert (refused.value.file, refused.value.field) == (str(file), "schema")
    assert refused.value.mend == "Did you mean toy/chat/v1? Known are: toy/chat/v1, toy/talk/v1."
    for schema in ("toy/talk", "toy/chat/v1"):
        folder.write("a.json", toy("a", schema=schema))
        assert (await loader.load()).names == ("a",)
    folder.write("a.json", toy("a", schema="toy/chat/v2"))
    with pytest.raises(ModelConfigError, match="schema is 'toy/chat/v2'"):
        await loader.load()
    await loader.close()


async def test_a_silent_keyring_ends_the_load_and_is_asked_for_nothing_more(
    folder: ModelFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, asked = threading.Event(), list[str]()

    def secret(name: str) -> str:
        asked.append(name)
        answers.wait(30)
        return "key"

    monkeypatch.setattr("companion.compose.loader.loader.READ_SECONDS", 0.05)
    folder.write("a.json", toy("a", api_key="keyring:one"))
    folder.write("b.json", toy("b", api_key="keyring:two"))
    loader = ModelLoader(folder.folder, (generator_department(folder.generators, TOYS),), Credentials({}, secret))
    with pytest.raises(ModelConfigError, match="could not be read in") as refused:
        await loader.load()
    answers.set()
    await asyncio.get_running_loop().shutdown_default_executor()

    assert "keyring" in refused.value.mend
    assert asked == ["one"]


async def test_what_is_left_out_is_in_the_log_and_a_key_is_not(
    folder: ModelFolder, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    folder.write("a.json", toy("a", api_key="$UNSET", app_id="$TOY_KEY"))
    folder.write("b.json", toy("b", api_key="$TOY_KEY"))

    report = await folder.loader.load()

    assert "a is left out: api_key: the variable UNSET is not set" in caplog.text
    assert "sk-secret" not in caplog.text + repr(report)
    await folder.loader.close()


@pytest.mark.parametrize("bad", [toy("x", nmae="y"), toy("x", model="not-here"), toy("a/#/b"), toy("taken"), toy("a")])
async def test_a_file_that_cannot_be_used_leaves_nothing_behind(folder: ModelFolder, bad: dict[str, object]) -> None:
    stranger = Made(Entry("taken", ModelType.GENERATOR, (await _entry(folder)).schema, Path(), "", Path()))
    folder.generators.register("taken", stranger)
    folder.write("a.json", toy("a", "b"))
    folder.write("seg.yaml", "schema: genx/segmentor/v1\ntype: segmentor\nmodels: [{name: s, model: a}]\n")
    file = folder.write("z.json", bad)

    with pytest.raises(ModelConfigError) as refused:
        await folder.loader.load()

    assert refused.value.file == str(file)
    assert refused.value.field in {"nmae", "models[0]", "models[0].name"}
    assert str(refused.value).startswith(f"{file}: {refused.value.field}")
    assert folder.patterns() == {"taken"}
    assert [made.closed for made in await closed(folder.made)] == [1] * len(folder.made)


async def closed(models: list[Made]) -> list[Made]:
    """The models, once the loader has closed them."""
    async with asyncio.timeout(5):
        for each in models:
            await each.was_closed.wait()
    return models


async def _entry(folder: ModelFolder) -> Entry:
    folder.write("a.json", toy("a"))
    await folder.loader.load()
    await folder.loader.close()
    return folder.made.pop().entry


async def test_a_name_that_is_given_twice_names_both_places(folder: ModelFolder) -> None:
    folder.write("a.json", toy("x/y"))
    folder.write("b.json", toy("z", "x/y/"))

    with pytest.raises(
        ModelConfigError, match=r"b\.json: models\[1\]\.name is 'x/y/', as is models\[0\]\.name of .*a\.json"
    ):
        await folder.loader.load()


async def test_parameters_fill_what_a_context_leaves_open(folder: ModelFolder) -> None:
    models = [
        {
            "name": "g",
            "model": "m",
            "generate_params": {"temperature": 0, "max_tokens": 9, "extra_fields": {"a": 1, "b": 1}},
            "invoke_params": {"top_p": 0.5},
        }
    ]
    folder.write("a.json", toy(models=models))
    await folder.loader.load()
    asked = ModelContext(params=ModelParams(max_tokens=5, extra_fields={"b": 2}))
    await (await folder.generators.generate_stream(asked, model="g")).close()
    await folder.generators.invoke(asked, FuncTool("f", "", {"type": "object"}), model="g")

    written, called = (context.params for context in folder.made[0].contexts)
    assert (written.temperature, written.max_tokens, written.top_p) == (0, 5, None)
    assert written.extra_fields == {"a": 1, "b": 2}
    assert (called.temperature, called.top_p) == (None, 0.5)
    await folder.loader.close()
    assert folder.made[0].closed == 1


async def test_what_did_not_change_stays_the_very_same_and_the_rest_is_replaced(folder: ModelFolder) -> None:
    folder.write("a.json", toy("same", "old"))
    await folder.loader.load()
    same = folder.generators.find("same").value
    folder.write("a.json", toy("new", "same"))

    report = await folder.loader.load()

    assert folder.generators.find("same").value is same
    assert (report.names, report.made, report.removed) == (("new", "same"), 1, ("old",))
    with pytest.raises(NotRegistered):
        folder.generators.find("old")
    await folder.loader.close()


async def test_a_running_answer_goes_on_while_its_model_is_replaced(folder: ModelFolder) -> None:
    folder.write("a.json", toy("talker", model="old"))
    await folder.loader.load()
    running = await folder.generators.generate_stream(ModelContext(), model="talker")
    assert (await running.next()).is_begin
    await running.next()

    folder.write("a.json", toy("talker", model="new"))
    await folder.loader.load()

    old, new = folder.made
    assert await folder.say("talker") == "new new new"
    assert old.closed == 0
    rest = [chunk.part.text async for chunk in running if chunk.part is not None and not chunk.is_end]  # type: ignore[union-attr]
    assert rest == ["old", "old"]
    await closed([old])
    assert (old.closed, new.closed) == (1, 0)
    await folder.loader.close()
    assert (old.closed, new.closed) == (1, 1)


async def test_closing_the_loader_closes_what_still_runs_too(folder: ModelFolder) -> None:
    folder.write("a.json", toy("talker"))
    await folder.loader.load()
    running = await folder.generators.generate_stream(ModelContext(), model="talker")

    await folder.loader.close()
    await running.close()
    await asyncio.sleep(0)

    assert [made.closed for made in folder.made] == [1]
    assert folder.patterns() == set()


async def test_a_folder_that_became_unusable_leaves_everything_as_it_was(folder: ModelFolder) -> None:
    folder.write("a.json", toy("a", "b"))
    await folder.loader.load()
    before = [folder.generators.find(name).value for name in ("a", "b")]
    folder.write("a.json", toy("c"))
    folder.write("b.json", "{")

    with pytest.raises(ModelConfigError, match=r"b\.json, line 1: this is no JSON"):
        await folder.loader.load()

    assert [folder.generators.find(name).value for name in ("a", "b")] == before
    assert folder.patterns() == {"a", "b"}
    await folder.loader.close()


async def test_names_may_change_places_between_two_loads(folder: ModelFolder) -> None:
    folder.write("a.json", toy("x", model="one"))
    folder.write("b.json", toy("y", model="two"))
    await folder.loader.load()
    folder.write("a.json", toy("y", model="one"))
    folder.write("b.json", toy("x", model="two"))
    await folder.loader.load()

    assert (await folder.say("x"), await folder.say("y")) == ("two two two", "one one one")
    await folder.loader.close()


async def test_a_name_taken_by_somebody_else_in_one_mux_undoes_the_others(folder: ModelFolder) -> None:
    """The generators are exchanged first, the labelers last."""
    folder.write("a.json", toy("g"))
    await folder.loader.load()
    folder.labelers.register("l", Made(folder.made[0].entry))
    folder.write("a.json", toy("h"))
    folder.write("l.yaml", "schema: genx/labeler/v1\ntype: labeler\nmodels: [{name: l, model: g}]\n")

    with pytest.raises(ModelConfigError, match=r"l\.yaml: models\[0\]\.name") as refused:
        await folder.loader.load()

    assert isinstance(refused.value.__cause__, PatternError)
    assert folder.patterns() == {"g", "l"}
    assert folder.generators.find("g").value is folder.made[0]
    await closed(folder.made[1:])
    assert [made.closed for made in folder.made] == [0, 1, 1]
    await folder.loader.close()


async def test_what_somebody_else_unregistered_comes_back_with_the_next_load(folder: ModelFolder) -> None:
    folder.write("a.json", toy("a", "b"))
    await folder.loader.load()
    folder.generators.unregister("a")
    await closed(folder.made[:1])

    assert (await folder.loader.load()).made == 1
    assert folder.patterns() == {"a", "b"}
    folder.generators.unregister("b")
    await folder.loader.close()
    assert [made.closed for made in folder.made] == [1, 1, 1]


async def test_several_loads_at_once_go_one_after_the_other(folder: ModelFolder) -> None:
    folder.write("a.json", toy("a"))

    reports = await asyncio.gather(*(folder.loader.load() for _ in range(4)))

    assert [report.made for report in reports] == [1, 0, 0, 0]
    await folder.loader.close()


async def test_a_call_that_began_on_what_was_undone_goes_on_to_its_end(
    folder: ModelFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread may have called in the moment between two muxes."""
    folder.write("a.json", toy("g", model="new"))
    folder.write("l.yaml", "schema: genx/labeler/v1\ntype: labeler\nmodels: [{name: l, model: g}]\n")
    running: list[Registration[Generator]] = []

    def refuse(old: object, new: object) -> None:
        running.append(folder.generators.take("g"))
        raise PatternError("a labeler is already registered under 'l'", pattern="l")

    monkeypatch.setattr(folder.labelers, "exchange", refuse)
    with pytest.raises(ModelConfigError):
        await folder.loader.load()

    assert folder.patterns() == set()
    labeler = next(made for made in folder.made if made.entry.name == "l")
    await closed([labeler])
    (generator,) = [made for made in folder.made if made is not labeler]
    assert generator.closed == 0
    running[0].give_back()
    await closed([generator])


async def test_a_tuned_generator_is_a_backend_that_keeps_its_parameters(folder: ModelFolder) -> None:
    models = [{"name": "g", "model": "m", "generate_params": {"top_k": 1}, "invoke_params": {"top_k": 2}}]
    folder.write("a.json", toy(models=models))
    await folder.loader.load()
    found = backend_of(folder.generators.find("g").value)
    form = FuncTool("f", "", {"type": "object"})

    await (await found.ask(ChatRequest(ModelContext()))).close()
    await (await found.ask(ChatRequest(ModelContext(), answer_form=form))).close()

    assert found.name == "Made"
    assert [context.params.top_k for context in folder.made[0].contexts] == [1, 2]
    await folder.loader.close()
