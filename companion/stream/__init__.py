"""The one contract of the house: chunks travel in Streams, Transformers bend them."""

from companion.stream.channel import Channel, StreamBuilder
from companion.stream.chunk import (
    Blob,
    FuncCall,
    MessageChunk,
    Part,
    Role,
    StreamCtrl,
    Text,
    ToolCall,
    begin_of_stream,
    canonical_mime,
    end_of_stream,
    new_stream_id,
    pcm,
    pcm_format,
)
from companion.stream.contract import (
    PulledStream,
    State,
    Status,
    Stream,
    Transformer,
    Usage,
    stream_of,
)
from companion.stream.elements import Element, Elements, StreamElement, ToolCallElement
from companion.stream.fork import mime_matcher, split, tee
from companion.stream.fresh_ids import FreshIds
from companion.stream.growing import GrowingStreamBuilder, Limit
from companion.stream.invocation import Invocation
from companion.stream.join import composite_seq, merge, merge_interleaved
from companion.stream.lifecycle import Route, Routes
from companion.stream.outlet import DeliveryObserver
from companion.stream.realtime import Clock, Loss, RealtimeStream
from companion.stream.response import Response

__all__ = [
    "Blob",
    "Channel",
    "Clock",
    "DeliveryObserver",
    "Element",
    "Elements",
    "FreshIds",
    "FuncCall",
    "GrowingStreamBuilder",
    "Invocation",
    "Limit",
    "Loss",
    "MessageChunk",
    "Part",
    "PulledStream",
    "RealtimeStream",
    "Response",
    "Role",
    "Route",
    "Routes",
    "State",
    "Status",
    "Stream",
    "StreamBuilder",
    "StreamCtrl",
    "StreamElement",
    "Text",
    "ToolCall",
    "ToolCallElement",
    "Transformer",
    "Usage",
    "begin_of_stream",
    "canonical_mime",
    "composite_seq",
    "end_of_stream",
    "merge",
    "merge_interleaved",
    "mime_matcher",
    "new_stream_id",
    "pcm",
    "pcm_format",
    "split",
    "stream_of",
    "tee",
]
