"""Passes as objects, and what runs them."""

from . import pass_manager
