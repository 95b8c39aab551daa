"""The tools of the model, over small memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from doubles.acting import Scene
from doubles.chat_backend import ScriptedBackend, calls, says

from companion.agent.child import Children
from companion.agent.output import TextChannel
from companion.agent.safety import EFFECTS, ORIGIN, SENSITIVE, Source
from companion.agent.stages import About
from companion.agent.tools import Note, Stated, agent_tools


class Everything:
    """A graph, an archive and a knowledge of lists."""

    def __init__(self) -> None:
        self.facts: list[Stated] = []
        self.texts: list[tuple[str, str]] = []
        self.children = Children(None, list)

    async def recall(self, query: str) -> Sequence[Note]:
        return [Note(f"{fact.subject} {fact.relation} {fact.object}") for fact in self.facts]

    async def introspect(self) -> Mapping[str, Any]:
        return {"facts": len(self.facts)}

    async def merge(self, source: str, target: str) -> str:
        return f"{source} is {target} now"

    async def query(self, query: str) -> Sequence[Note]:
        return [Note(text, title) for title, text in self.texts]

    search = query

    async def commit(self, *given: Any) -> str:
        match given:
            case (list(facts), About()):
                self.facts += facts
            case (str(title), str(text), About()):
                self.texts.append((title, text))
        return "kept"

    async def create(self, name: str, content: str) -> str:
        self.texts.append((name, content))
        return "created"

    async def list(self) -> Sequence[str]:
        return [name for name, _ in self.texts]


def scene_with(house: Everything, *answers: Any) -> Scene:
    scene = Scene(*answers)
    registry = scene.agent.registry
    registry.outputs.add(TextChannel("screen", lambda delivery: house.texts.append(("screen", str(delivery.content)))))
    children = Children(ScriptedBackend(says("Done.")), lambda: registry.tools)  # type: ignore[arg-type]
    house.children = children
    for tool in agent_tools(outputs=registry.outputs, graph=house, documents=house, knowledge=house, children=children):
        registry.add_tool(tool)
    return scene


async def test_the_model_has_the_documented_tools() -> None:
    scene = scene_with(Everything(), says("Well."))
    tools = {tool.name: tool for tool in scene.agent.registry.tools}

    assert {name: list(tool.parameters["properties"]) for name, tool in tools.items()} == {  # type: ignore[call-overload]
        "memory_recall": ["query"],
        "memory_commit": ["triples"],
        "memory_introspect": [],
        "memory_merge": ["source", "target"],
        "doc_query": ["query"],
        "doc_commit": ["title", "content"],
        "knowledge_search": ["query"],
        "knowledge_create": ["name", "content"],
        "knowledge_list": [],
        "spawn_child": ["task"],
        "output_send": ["channel", "content"],
    }
    assert all(tool.description for tool in tools.values())
    writes = {name for name, tool in tools.items() if tool.meta.get(SENSITIVE)}
    assert writes == {"memory_commit", "memory_merge", "doc_commit", "knowledge_create"}
    reads = {name for name, tool in tools.items() if tool.meta.get(EFFECTS) is False}
    assert reads == {"memory_recall", "memory_introspect", "doc_query", "knowledge_search", "knowledge_list"}
    assert {tools[name].meta[ORIGIN] for name in reads} == {Source.MEMORY, Source.DOCUMENT}
    await scene.agent.close()


async def test_facts_are_kept_only_in_the_users_own_words() -> None:
    house = Everything()
    triples = (
        '{"triples": [{"subject": "user", "relation": "lives_in", "object": "Lyon"},'
        ' {"subject": "user", "relation": "likes", "object": "opera"}]}'
    )
    scene = scene_with(house, calls(("memory_commit", triples)), says("Noted."))
    await scene.turn("I live in Lyon now.")

    assert house.facts == [Stated("user", "lives_in", "Lyon")]
    assert scene.shown()[-1][1] == "kept; 1 left out: the user has not said that"
    await scene.agent.close()


async def test_what_the_user_never_said_is_no_fact_at_all() -> None:
    house = Everything()
    triples = '{"triples": [{"subject": "Emma", "relation": "likes", "object": "opera"}]}'
    scene = scene_with(house, calls(("memory_commit", triples)), says("Well."))
    await scene.turn("Tell me about yourself.")

    assert house.facts == []
    assert "has not said that" in scene.shown()[-1][1]
    await scene.agent.close()


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("memory_introspect", "{}", '{"facts": 0}'),
        ("memory_merge", '{"source": "a", "target": "b"}', "a is b now"),
        ("doc_commit", '{"title": "t", "content": "words"}', "kept"),
        ("knowledge_create", '{"name": "n", "content": "words"}', "created"),
        ("doc_commit", '{"title": "t", "content": " "}', "Error: the tool 'doc_commit' failed"),
        ("output_send", '{"channel": "screen", "content": "Hi."}', "sent"),
        ("output_send", '{"channel": "door", "content": "Hi."}', "unknown"),
        ("spawn_child", '{"task": "count"}', "child_1"),
    ],
)
async def test_a_tool_gives_its_word(name: str, arguments: str, result: str) -> None:
    house = Everything()
    scene = scene_with(house, calls((name, arguments)), says("Well."))
    await scene.turn()

    told = scene.shown(1)[-1][1]
    assert result in told.replace('":0', '": 0')
    await scene.agent.close()
    await house.children.close()


async def test_a_tool_without_its_part_is_not_offered() -> None:
    scene = Scene(says("Well."))

    assert [tool.name for tool in agent_tools(outputs=scene.agent.registry.outputs)] == ["output_send"]
    await scene.agent.close()
