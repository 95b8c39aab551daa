"""Models of providers over the network, and of servers on this machine: an HTTP client, a table of endpoints, keys."""
