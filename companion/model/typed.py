"""From Python types to the shapes JSON has for them."""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NotRequired, Required, Union, cast, get_args, get_origin

from companion.model.shape import (
    Anything,
    Choice,
    Described,
    Either,
    Field,
    Record,
    Scalar,
    Schema,
    Sequence,
    Shape,
    Table,
)

_SCALARS = (str, int, float, bool, type(None))
_SEQUENCES: Mapping[object, Callable[..., object]] = {
    list: list,
    tuple: tuple,
    set: set,
    frozenset: frozenset,
    collections.abc.Sequence: list,
    collections.abc.Iterable: list,
    collections.abc.Set: frozenset,
}
_TABLES = (dict, collections.abc.Mapping)


def shape_of(annotation: object, *, within: tuple[type, ...] = ()) -> Shape:
    """The shape of str, int, float, bool, None, Literal, Enum, list, tuple, set, dict, unions, dataclasses, TypedDict,
    pydantic models, and ``Annotated[type, "description"]`` of these.

    within: the classes this type is a field of.

    Raises:
        TypeError: JSON cannot say this type.
    """
    if annotation is None:
        return Scalar(type(None))
    if annotation in (object, Any):
        return Anything()
    if isinstance(annotation, typing.NewType):
        return shape_of(annotation.__supertype__, within=within)
    if isinstance(annotation, type) and get_origin(annotation) is None:
        return _shape_of_class(annotation, within)
    return _shape_of_form(annotation, within)


def _shape_of_class(kind: type, within: tuple[type, ...]) -> Shape:
    if kind in within:
        raise TypeError(f"{kind.__name__} contains itself")
    if issubclass(kind, enum.Enum):
        return _choice([(member.value, member) for member in kind])
    if kind in _SCALARS:
        return Scalar(kind)
    if kind in _SEQUENCES:
        return Sequence(Anything(), _SEQUENCES[kind])
    if kind in _TABLES:
        return Table(Anything())
    if dataclasses.is_dataclass(kind):
        return _dataclass(kind, (*within, kind))
    if typing.is_typeddict(kind):
        return _typed_dict(kind, (*within, kind))
    if hasattr(kind, "model_json_schema") and hasattr(kind, "model_validate"):
        return Model(kind)
    raise TypeError(f"JSON has nothing like {kind.__name__}")


def _shape_of_form(form: object, within: tuple[type, ...]) -> Shape:
    origin, arguments = get_origin(form), get_args(form)
    if origin is Annotated:
        shape = shape_of(arguments[0], within=within)
        words = next((note for note in arguments[1:] if isinstance(note, str)), "")
        return Described(shape, words) if words else shape
    if origin in (Required, NotRequired):
        return shape_of(arguments[0], within=within)
    if origin is Literal:
        return _choice([(choice, choice) for choice in arguments])
    if origin in (Union, types.UnionType):
        return Either(tuple(shape_of(branch, within=within) for branch in arguments))
    if origin in _SEQUENCES and (len(arguments) == 1 or arguments[1:] == (...,)):
        return Sequence(shape_of(arguments[0], within=within), _SEQUENCES[origin])
    if origin in _TABLES and arguments[0] is str:
        return Table(shape_of(arguments[1], within=within))
    raise TypeError(f"JSON has nothing like {form}")


def _choice(meanings: Iterable[tuple[object, object]]) -> Choice:
    pairs = tuple(meanings)
    if not pairs or any(type(said) not in _SCALARS for said, _ in pairs):
        raise TypeError(f"JSON cannot say one of {[said for said, _ in pairs]}")
    return Choice(pairs)


def _dataclass(kind: type, within: tuple[type, ...]) -> Record:
    hints = typing.get_type_hints(kind, include_extras=True)
    fields = tuple(
        Field(
            field.name,
            shape_of(hints[field.name], within=within),
            required=field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING,
            default=_said(field.default),
        )
        for field in dataclasses.fields(kind)
        if field.init
    )
    return Record(fields, kind)


def _typed_dict(kind: type, within: tuple[type, ...]) -> Record:
    hints = typing.get_type_hints(kind, include_extras=True)
    required: frozenset[str] = kind.__required_keys__  # type: ignore[attr-defined]
    fields = tuple(
        Field(name, shape_of(hint, within=within), required=_is_required(hint, name in required))
        for name, hint in hints.items()
    )
    return Record(fields, dict)


def _is_required(hint: object, otherwise: bool) -> bool:
    """``otherwise`` is wrong where the module's annotations are text: the class then cannot see NotRequired."""
    match get_origin(hint):
        case origin if origin is Required:
            return True
        case origin if origin is NotRequired:
            return False
        case _:
            return otherwise


@dataclass(frozen=True, slots=True)
class Model:
    """A pydantic model, which knows its own schema."""

    kind: Any

    def schema(self) -> Schema:
        schema: Schema = self.kind.model_json_schema()
        parts = cast("dict[str, Schema]", schema.pop("$defs", {}))
        return cast("Schema", _inlined(schema, parts))

    def read(self, value: object) -> object:
        # pydantic's error is a ValueError, and names the field.
        return self.kind.model_validate(value)


def _inlined(schema: object, parts: Mapping[str, Schema], within: tuple[str, ...] = ()) -> object:
    """The schema with its parts in the places that refer to them: inside another one, the references would be lost."""
    match schema:
        case {"$ref": str(reference), **beside}:
            name = reference.removeprefix("#/$defs/")
            if name in within:
                raise TypeError(f"{name} contains itself")
            return _inlined(parts[name] | cast("Schema", beside), parts, (*within, name))
        case dict():
            return {key: _inlined(one, parts, within) for key, one in schema.items()}
        case list():
            return [_inlined(one, parts, within) for one in schema]
        case _:
            return schema


def record_of(function: Callable[..., object], descriptions: Mapping[str, str]) -> Record:
    """The parameters of a function.

    Raises:
        TypeError: a parameter has no type, one JSON cannot say, or cannot be given by name.
    """
    try:
        parameters = inspect.signature(function, eval_str=True).parameters.values()
        return Record(tuple(_parameter(one, descriptions.get(one.name, "")) for one in parameters), function)
    except NameError as error:
        raise TypeError(f"a type is not to be found: {error}") from error


def _parameter(parameter: inspect.Parameter, description: str) -> Field:
    if parameter.kind not in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY):
        raise TypeError(f"{parameter.name}: cannot be given by name")
    if parameter.annotation is inspect.Parameter.empty:
        raise TypeError(f"{parameter.name}: has no type")
    try:
        shape = shape_of(parameter.annotation)
    except TypeError as error:
        raise TypeError(f"{parameter.name}: {error}") from error
    required = parameter.default is inspect.Parameter.empty
    return Field(parameter.name, shape, required, description, None if required else _said(parameter.default))


def _said(default: object) -> object:
    """A default as JSON says it; None where it cannot, or need not."""
    if isinstance(default, enum.Enum):
        default = default.value
    return default if isinstance(default, str | int | float) else None
