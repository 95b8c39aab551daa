"""The tools the agent gives a model: its memory, the user's documents and knowledge, child agents, and the way out.

What they reach they reach through protocols; a tool whose part is not there is not offered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Protocol

from companion.agent.actions import OUTPUT_SEND
from companion.agent.child import Children, Parent
from companion.agent.output import Outputs
from companion.agent.safety import EFFECTS, ORIGIN, SENSITIVE, Sensitive, Source, is_grounded
from companion.agent.stages import About, Origin
from companion.agent.turns import Turn
from companion.errors import ToolDenied
from companion.model import FuncTool, JsonValue
from companion.model.tool_context import tool_context

MOST_TRIPLES = 32
"""In one call."""
LONGEST_PART = 200
"""Characters of a subject, a relation or an object."""
LONGEST_DOCUMENT = 100_000
"""Characters."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact as the model states it. Its words must be the user's."""

    subject: str
    relation: str
    object: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something found. place: where it is from, as a person would look it up. at: when, in words."""

    text: str
    place: str = ""
    at: str = ""


class GraphAccess(Protocol):
    """The memory of facts."""

    async def recall(self, query: str) -> Sequence[Note]: ...

    async def commit(self, facts: Sequence[Stated], about: About) -> str:
        """Keep facts the user has stated in this turn; a word on what became of them."""

    async def introspect(self) -> Mapping[str, JsonValue]:
        """What there is in it, in numbers and names."""

    async def merge(self, source: str, target: str) -> str:
        """Make two entities one, in a way that can be undone; a word on what became of it."""


class DocumentAccess(Protocol):
    """The archive of documents."""

    async def query(self, query: str) -> Sequence[Note]: ...

    async def commit(self, title: str, content: str, about: About) -> str: ...


class KnowledgeAccess(Protocol):
    """The user's own texts."""

    async def search(self, query: str) -> Sequence[Note]: ...

    async def create(self, name: str, content: str) -> str: ...

    async def list(self) -> Sequence[str]: ...


Query = Annotated[str, "what to look for, in a few words"]


def memory_tools(graph: GraphAccess) -> list[FuncTool]:
    """``memory_recall``, ``memory_commit``, ``memory_introspect`` and ``memory_merge``."""

    async def memory_recall(query: Query) -> list[Note]:
        """Look up what is remembered about people, places and things."""
        return list(await graph.recall(query))

    async def memory_commit(
        triples: Annotated[list[Stated], "facts the user has just stated, in the user's own words"],
    ) -> str:
        """Remember facts that the user has stated in this turn. Never what you said or read."""
        turn = _turn("memory_commit")
        facts = [_bounded(fact) for fact in triples[:MOST_TRIPLES]]
        stated = [fact for fact in facts if is_grounded(asdict(fact), turn.said)]
        if turn.about.origin is not Origin.USER or not stated:
            raise ToolDenied("the user has not said that in this turn", tool="memory_commit")
        left_out = len(triples) - len(stated)
        receipt = await graph.commit(stated, turn.about)
        return f"{receipt}; {left_out} left out: the user has not said that" if left_out else receipt

    async def memory_introspect() -> Mapping[str, JsonValue]:
        """What the memory holds, in numbers."""
        return await graph.introspect()

    async def memory_merge(
        source: Annotated[str, "the name that goes"], target: Annotated[str, "the name that stays"]
    ) -> str:
        """Make two names one, because they mean the same."""
        return await graph.merge(source, target)

    return [
        _reads(memory_recall, Source.MEMORY),
        _writes(memory_commit, Sensitive.MEMORY_WRITE),
        _reads(memory_introspect, Source.MEMORY),
        _writes(memory_merge, Sensitive.MEMORY_WRITE),
    ]


def document_tools(documents: DocumentAccess) -> list[FuncTool]:
    """``doc_query`` and ``doc_commit``."""

    async def doc_query(query: Query) -> list[Note]:
        """Look into the archive of earlier conversations and documents."""
        return list(await documents.query(query))

    async def doc_commit(title: str, content: str) -> str:
        """Put a text into the archive."""
        _demand(content, "doc_commit")
        return await documents.commit(title[:LONGEST_PART], content, _turn("doc_commit").about)

    return [_reads(doc_query, Source.DOCUMENT), _writes(doc_commit, Sensitive.MEMORY_WRITE)]


def knowledge_tools(knowledge: KnowledgeAccess) -> list[FuncTool]:
    """``knowledge_search``, ``knowledge_create`` and ``knowledge_list``."""

    async def knowledge_search(query: Query) -> list[Note]:
        """Search the user's own texts. Say where what you found stands."""
        return list(await knowledge.search(query))

    async def knowledge_create(name: Annotated[str, "small letters, digits and -"], content: str) -> str:
        """Add a text to the user's knowledge."""
        _demand(content, "knowledge_create")
        return await knowledge.create(name, content)

    async def knowledge_list() -> list[str]:
        """The names of the user's texts."""
        return list(await knowledge.list())

    return [
        _reads(knowledge_search, Source.DOCUMENT),
        _writes(knowledge_create, Sensitive.MEMORY_WRITE),
        _reads(knowledge_list, Source.DOCUMENT),
    ]


def child_tool(children: Children) -> FuncTool:
    """``spawn_child``."""

    async def spawn_child(task: Annotated[str, "all that has to be known to do it"]) -> str:
        """Have a helper do a task beside the conversation. You are told when it is done."""
        turn = _turn("spawn_child")
        if turn.about.origin is Origin.SELF:
            # What one has brought back must not send off the next, and so on for ever.
            raise ToolDenied("a helper is sent off at somebody's word only", tool="spawn_child")
        parent = Parent(turn.about.channel, turn.about.language, turn.taint.marks)
        return children.spawn(task, parent=parent)

    return _receipt(FuncTool.of(spawn_child))


def output_tool(outputs: Outputs) -> FuncTool:
    """``output_send``. Its receipts are one word."""

    async def output_send(
        channel: Annotated[str, "where to: voice, screen, log or another channel there is"], content: str
    ) -> str:
        """Send something besides your answer, which is sent by itself."""
        turn = tool_context().attributes.get("turn")
        number, language = (turn.number, turn.about.language) if isinstance(turn, Turn) else (0, "")
        return (await outputs.send(channel, content, language=language, turn=number)).value

    assert output_send.__name__ == OUTPUT_SEND
    return _receipt(FuncTool.of(output_send))


def agent_tools(
    *,
    outputs: Outputs,
    graph: GraphAccess | None = None,
    documents: DocumentAccess | None = None,
    knowledge: KnowledgeAccess | None = None,
    children: Children | None = None,
) -> list[FuncTool]:
    """All tools whose parts are there."""
    return [
        *(memory_tools(graph) if graph is not None else ()),
        *(document_tools(documents) if documents is not None else ()),
        *(knowledge_tools(knowledge) if knowledge is not None else ()),
        *([child_tool(children)] if children is not None else ()),
        output_tool(outputs),
    ]


def _turn(tool: str) -> Turn:
    turn = tool_context().attributes.get("turn")
    if not isinstance(turn, Turn):
        raise ToolDenied(f"{tool} works within a turn only", tool=tool)
    return turn


def _bounded(fact: Stated) -> Stated:
    return Stated(fact.subject[:LONGEST_PART], fact.relation[:LONGEST_PART], fact.object[:LONGEST_PART])


def _demand(content: str, tool: str) -> None:
    if not content.strip() or len(content) > LONGEST_DOCUMENT:
        raise ToolDenied(f"a text has 1 to {LONGEST_DOCUMENT} characters", tool=tool)


def _reads(function: Callable[..., object], source: Source) -> FuncTool:
    tool = FuncTool.of(function)
    return replace(tool, is_parallel=True, meta={EFFECTS: False, ORIGIN: source})


def _writes(function: Callable[..., object], why: Sensitive) -> FuncTool:
    return replace(FuncTool.of(function), meta={SENSITIVE: why, ORIGIN: Source.RECEIPT})


def _receipt(tool: FuncTool) -> FuncTool:
    return replace(tool, meta={ORIGIN: Source.RECEIPT})
