"""Whatever a model writes into the arguments of its tools, it gets an answer or a refusal, and nothing else happens."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from doubles.minds import Scripted, a_mind, say

from companion.agent.stages import About, Origin
from companion.agent.turns import Turn
from companion.app.mind import Mind
from companion.app.orders import Tend
from companion.app.paths import Paths
from companion.errors import CompanionError
from companion.model.tool_context import ToolContext, called_within
from companion.model.toolkit import Toolkit
from companion.settings.schema import Models
from companion.stream import FuncCall

TOOLS = (
    *("memory_recall", "memory_commit", "memory_introspect", "memory_merge", "doc_query", "doc_commit"),
    *("knowledge_search", "knowledge_create", "knowledge_list", "spawn_child", "output_send"),
)
TEXTS = (
    *("", " ", "x" * 200_000, "\0", "a\0b", "../../etc/passwd", "/etc/passwd", "..", ".", "~", "con", "a/b", "a\\b"),
    *("\ud800", "\ud83d", "😀" * 50, "\u202eabc", "\x1b[31m", "e\u0301" * 99, "ﷺ" * 100, "\n\n"),
    *("' OR 1=1 --", '"', "NEAR(", "*", "AND", "words:", "%", "_", "user", "{}"),
)
VALUES = (*TEXTS, None, True, 5, -1, 1e308, float("nan"), [], {}, ["a"] * 5000, {"a": {"b": [1]}}, [[[[]]]], 10**400)
RAW = ("", "null", "[]", "[1,2", '"x"', "{", "{'a':1}", "\x00", "{}{}{}", "[" * 100_000, '{"query":' + "[" * 50_000)


def arguments_for(mind: Mind, name: str) -> list[str]:
    """Each value in every place, and what is no object at all."""
    fields = list(next(tool for tool in mind.around.registry.tools if tool.name == name).parameters["properties"])  # type: ignore[call-overload, arg-type]
    given: list[object] = [dict.fromkeys(fields, value) for value in VALUES] + [{}, {"other": 1}]
    if name == "memory_commit":
        parts = ("subject", "relation", "object")
        given += [{"triples": [dict.fromkeys(parts, value)]} for value in VALUES]
        given += [{"triples": [{"subject": "user", "relation": "likes", "object": value}]} for value in VALUES]
        given.append({"triples": [{"subject": "user", "relation": "likes", "object": "tea"}] * 5000})
    return [*map(json.dumps, given), *RAW]


@pytest.mark.parametrize("name", TOOLS)
async def test_a_tool_answers_or_refuses_and_writes_nowhere_else(tmp_path: Path, name: str) -> None:
    paths = Paths.under(tmp_path / "home")
    paths.prepare()
    async with a_mind(paths, Scripted(*["Well."] * 99), models=Models(tools="always")) as mind:
        await say(mind, "Remember that my sister is called Emma.")
        tools = Toolkit([replace(tool, limit_seconds=20.0) for tool in mind.around.registry.tools])
        said = " ".join(TEXTS)
        for arguments in arguments_for(mind, name):
            turn = Turn(About(1, "screen", "en", mind.clock(), Origin.USER, False, said), said)
            turn.confirm()
            try:
                with called_within(ToolContext(attributes={"turn": turn})):
                    async with asyncio.timeout(30):
                        answer = await tools.invoke(FuncCall(name, arguments))
            except CompanionError:
                continue
            assert len(answer.encode()) < 500_000
        assert await say(mind, "What is my sister called?") == "Your sister is called Emma."
        await mind.desks.perform(Tend("memory", "export", {"file": str(tmp_path / "all.json")}))
        opened = mind.around.memory.open_now  # type: ignore[union-attr]
        assert opened is not None
        assert await opened.store.check() == ()
    assert {one.name for one in entries(tmp_path)} == {"home", "all.json"}


def entries(folder: Path) -> list[Path]:
    return list(folder.iterdir())
