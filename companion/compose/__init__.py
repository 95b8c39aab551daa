"""Puts models and conversations together: sessions, muxes, routers, fallbacks, budgets, the configuration loader."""
