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
from companion.stream.lifecycle import Routes

__all__ = [
    "Blob",
    "Channel",
    "FuncCall",
    "MessageChunk",
    "Part",
    "PulledStream",
    "Role",
    "Routes",
    "State",
    "Status",
    "Stream",
    "StreamBuilder",
    "StreamCtrl",
    "Text",
    "ToolCall",
    "Transformer",
    "Usage",
    "begin_of_stream",
    "canonical_mime",
    "end_of_stream",
    "new_stream_id",
    "pcm",
    "pcm_format",
    "stream_of",
]
