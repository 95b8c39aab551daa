"""What several protocols have no place for, refused in the same words before anything is sent."""

from __future__ import annotations

from collections.abc import Iterable, Sized

from companion.errors import Unsupported
from companion.model.options import ModelParams
from companion.model.request import Calling, ChatRequest
from companion.model.tool import Tool


def check_model(model: str, dialect: str) -> str:
    """The model's name, where the protocol cannot do without.

    Raises:
        Unsupported: it is empty.
    """
    if not model:
        raise Unsupported(f"{dialect}: no model is named", mend="name a model of this provider")
    return model


def check_params(params: ModelParams, dialect: str, *, unknown: Iterable[str] = (), instead: str = "") -> None:
    """Refuse what nobody could read or be told.

    unknown: the parameters that the protocol has no field for. instead: what else helps then.

    Raises:
        Unsupported: one of them is set, or more than one answer is wanted.
    """
    if params.n not in (None, 1):
        raise Unsupported(f"{dialect}: one answer at a time is read, not {params.n}", mend="ask several times")
    for name in unknown:
        if getattr(params, name) not in (None, ()):
            raise Unsupported(f"{dialect} knows no {name}", mend=instead or f"leave {name} out")


def check_forced(request: ChatRequest, callable_tools: Sized, dialect: str) -> None:
    """Refuse a request that forces a call where there is nothing to call.

    Raises:
        Unsupported: so it is.
    """
    choice = request.tool_choice
    if choice is not None and choice.calling is Calling.FORCED and not len(callable_tools):
        raise Unsupported(f"{dialect}: a call is to be forced, of no tool that is offered", mend="offer the tool")


def check_asked(messages: Sized, dialect: str) -> None:
    """Refuse a conversation in which nothing has been said.

    Raises:
        Unsupported: there are no messages.
    """
    if not len(messages):
        raise Unsupported(f"{dialect} answers no empty conversation", mend="say something first")


def offered_tools(request: ChatRequest) -> tuple[Tool, ...]:
    """The tools to offer where the protocol can forbid calls, but not choose among the tools: only those that may be
    called, and all of them where none may.
    """
    choice = request.tool_choice
    is_forbidden = choice is not None and choice.calling is Calling.FORBIDDEN
    return request.context.tools if is_forbidden else request.callable_tools()
