"""Puts models and conversations together: sessions, muxes, the configuration loader; routers and fallbacks to come."""
