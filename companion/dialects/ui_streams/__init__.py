"""Writers of a turn's events for web interfaces: the AI SDK's UI message stream, and AG-UI."""

from companion.dialects.ui_streams.ag_ui import AgUiWriter
from companion.dialects.ui_streams.ai_sdk import AiSdkWriter
from companion.dialects.ui_streams.contract import Part, UiWriter, to_sse

__all__ = ["AgUiWriter", "AiSdkWriter", "Part", "UiWriter", "to_sse"]
