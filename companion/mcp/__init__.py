"""Model Context Protocol, client and server. Empty for now."""
