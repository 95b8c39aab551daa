"""Which models there are, where their files come from, and the shelf that holds them."""
