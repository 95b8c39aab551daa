"""What is remembered and what is known, put together for one companion: opened when it is first asked for."""
