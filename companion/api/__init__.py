"""HTTP and WebSocket doors. Empty for now."""
