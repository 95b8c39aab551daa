"""Puts models and conversations together: sessions now; muxes, routers, fallbacks, loader to come."""
