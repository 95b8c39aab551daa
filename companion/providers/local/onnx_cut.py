"""Cut an exported VITS voice in two before its vocoder, on the bytes of its ONNX file.

The file is one protocol buffer. Whatever is kept is copied as it stands; only fields that tell the graph's parts apart
are read (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto).

Laws:

1. The vocoder begins at the convolution behind which the first transposed convolution stands.
2. It depends on nothing but its input and constants. A voice of which that is not true is not cut.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_GRAPH = 7
_NODE, _INITIALIZER, _INPUT, _OUTPUT = 1, 5, 11, 12
_LENGTH_DELIMITED = 2
_PASSING = frozenset({"LeakyRelu", "Add", "Div", "Mul", "Tanh", "Unsqueeze"})
"""Steps of a vocoder that take each moment for itself."""


class NotCuttable(ValueError):
    """It is not the graph of such a voice."""


@dataclass(frozen=True, slots=True)
class Halves:
    """front: makes the latent frames. vocoder: makes sound of them; its input is ``latent``.

    hop: samples a frame. context: frames on each side of a frame that its samples depend on.
    """

    front: bytes
    vocoder: bytes
    latent: str
    hop: int
    context: int


@dataclass(frozen=True, slots=True)
class _Node:
    raw: memoryview
    op: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    numbers: dict[str, list[int]]
    has_graph: bool

    @property
    def stride(self) -> int:
        return self.numbers["strides"][0]

    @property
    def side(self) -> int:
        """Steps from the middle of a convolution to its farther end."""
        before = self.numbers["pads"][0]
        span = (self.numbers["kernel_shape"][0] - 1) * self.numbers["dilations"][0]
        return max(before, span - before)


class _Graph:
    def __init__(self, raw: memoryview) -> None:
        self.nodes: list[_Node] = []
        self.weights: dict[str, memoryview] = {}
        self.inputs: list[memoryview] = []
        self.outputs: list[memoryview] = []
        for number, value, _ in _fields(raw):
            if number == _NODE:
                self.nodes.append(_node(value))
            elif number == _INITIALIZER:
                self.weights[_texts(value, 8)[0]] = value
            elif number == _INPUT:
                self.inputs.append(value)
            elif number == _OUTPUT:
                self.outputs.append(value)
        self.maker = {name: node for node in self.nodes for name in node.outputs}

    def behind(self, names: Iterable[str], stop: str = "") -> list[_Node]:
        """The nodes that make ``names``, in the graph's order, as far back as ``stop``."""
        open_, found = list(names), set[int]()
        while open_:
            name = open_.pop()
            node = self.maker.get(name)
            if name != stop and node is not None and id(node) not in found:
                found.add(id(node))
                open_ += node.inputs
        return [node for node in self.nodes if id(node) in found]

    def written(
        self, nodes: list[_Node], inputs: Iterable[bytes], outputs: Iterable[bytes]
    ) -> list[bytes | memoryview]:
        used = {name for node in nodes for name in node.inputs}
        parts: list[tuple[int, bytes | memoryview]] = [(_NODE, node.raw) for node in nodes]
        parts.append((2, b"half"))
        parts += [(_INITIALIZER, raw) for name, raw in self.weights.items() if name in used]
        parts += [(_INPUT, raw) for raw in inputs]
        parts += [(_OUTPUT, raw) for raw in outputs]
        return [piece for number, value in parts for piece in (_head(number, len(value)), value)]


def cut(model: memoryview) -> Halves:
    """The two halves of a voice.

    Raises:
        NotCuttable: it is built another way.
    """
    try:
        return _cut(model)
    except (IndexError, KeyError, StopIteration, UnicodeDecodeError) as error:
        raise NotCuttable("not a readable voice") from error


def _cut(model: memoryview) -> Halves:
    graph = _Graph(next(value for number, value, _ in _fields(model) if number == _GRAPH))
    sound = _texts(graph.outputs[0], 1)[0]
    latent = _latent(graph)
    vocoder = graph.behind([sound], latent)
    front = graph.behind([latent])
    outside = {_texts(raw, 1)[0] for raw in graph.inputs} - graph.weights.keys()
    needed = {name for node in vocoder for name in node.inputs}
    if needed & outside or any(node.has_graph for node in front + vocoder):
        raise NotCuttable("its vocoder hears more than the frames")
    hop, context = _reach(graph, vocoder, sound, latent)
    rest = [raw for _, raw in _others(model)]
    return Halves(
        _model(rest, graph.written(front, map(bytes, graph.inputs), [_float(latent)])),
        _model(rest, graph.written(vocoder, [_float(latent)], map(bytes, graph.outputs[:1]))),
        latent,
        hop,
        context,
    )


def _latent(graph: _Graph) -> str:
    node = next(node for node in graph.nodes if node.op == "ConvTranspose")
    while node.op != "Conv":
        if node.op not in ("ConvTranspose", "LeakyRelu"):
            raise NotCuttable(f"{node.op} before its vocoder")
        node = graph.maker[node.inputs[0]]
    return node.inputs[0]


def _reach(graph: _Graph, vocoder: list[_Node], sound: str, latent: str) -> tuple[int, int]:
    """Samples a frame, and frames that a sample hears on each side, at most."""
    hop = math.prod(node.stride for node in vocoder if node.op == "ConvTranspose")
    # For each tensor: how far, in its own steps, what is made of it looks to a side.
    reach: dict[str, int] = {sound: 0}
    for node in reversed(vocoder):
        far = max((reach[name] for name in node.outputs if name in reach), default=None)
        if far is None:
            raise NotCuttable("a branch of its vocoder leads nowhere")
        if node.op == "Conv" and node.stride == 1:
            far += node.side
        elif node.op == "ConvTranspose":
            far = (far + node.side) // node.stride
        elif node.op not in _PASSING:
            raise NotCuttable(f"{node.op} in its vocoder")
        for name in node.inputs:
            reach[name] = max(reach.get(name, 0), far)
    return hop, reach[latent]


def _model(rest: list[bytes], graph: list[bytes | memoryview]) -> bytes:
    return b"".join([*rest, _head(_GRAPH, sum(map(len, graph))), *graph])


def _others(model: memoryview) -> Iterator[tuple[int, bytes]]:
    """The model's fields beside the graph: versions, mostly."""
    for number, _, raw in _fields(model):
        if number != _GRAPH:
            yield number, bytes(raw)


def _float(name: str) -> bytes:
    """A ValueInfoProto: 32-bit floats of any shape."""
    text = name.encode()
    kind = _head(1, 2) + b"\x08\x01"
    return _head(1, len(text)) + text + _head(2, len(kind)) + kind


def _node(raw: memoryview) -> _Node:
    numbers: dict[str, list[int]] = {}
    has_graph = False
    for attribute in (value for number, value, _ in _fields(raw) if number == 5):
        has_graph = has_graph or any(number in (6, 11) for number, _, _ in _fields(attribute))
        numbers[_texts(attribute, 1)[0]] = _integers(attribute)
    return _Node(raw, _texts(raw, 4)[0], tuple(_texts(raw, 1)), tuple(_texts(raw, 2)), numbers, has_graph)


def _integers(attribute: memoryview) -> list[int]:
    """Its ``ints``, packed or one by one."""
    found: list[int] = []
    for number, value, raw in _fields(attribute):
        if number == 8 and raw[0] & 7 == _LENGTH_DELIMITED:
            at = 0
            while at < len(value):
                integer, at = _varint(value, at)
                found.append(integer)
        elif number == 8:
            found.append(_varint(value, 0)[0])
    return found


def _texts(raw: memoryview, wanted: int) -> list[str]:
    return [str(value, "utf-8") for number, value, _ in _fields(raw) if number == wanted]


def _fields(raw: memoryview) -> Iterator[tuple[int, memoryview, memoryview]]:
    """Number, content and whole of each field of a message."""
    at = 0
    while at < len(raw):
        start = at
        key, at = _varint(raw, at)
        kind = key & 7
        if kind == 0:
            end = _varint(raw, at)[1]
        elif kind == _LENGTH_DELIMITED:
            size, at = _varint(raw, at)
            end = at + size
        elif kind in (1, 5):
            end = at + (8 if kind == 1 else 4)
        else:
            raise NotCuttable("not a protocol buffer")
        if end > len(raw):
            raise NotCuttable("it ends early")
        yield key >> 3, raw[at:end], raw[start:end]
        at = end


def _varint(raw: memoryview, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = raw[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at


def _head(number: int, size: int) -> bytes:
    """The start of a field of ``size`` bytes."""
    raw = bytearray()
    for value in (number << 3 | _LENGTH_DELIMITED, size):
        while value > 127:
            raw.append(value & 127 | 128)
            value >>= 7
        raw.append(value)
    return bytes(raw)
