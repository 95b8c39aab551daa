"""Pure grammars of provider protocols: encode a request, decode wire events.

Holds no sockets, clocks or retries. Empty until there are remote models."""
