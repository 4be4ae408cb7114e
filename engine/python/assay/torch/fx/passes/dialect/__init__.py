"""Passes by what kinds of graphs they are for."""
