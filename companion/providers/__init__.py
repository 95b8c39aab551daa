"""Models behind the contracts: local ones now, remote ones to come."""
