"""Passes over graphs of any kind."""
