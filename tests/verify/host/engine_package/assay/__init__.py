"""Stands for the engine's package: its torch is the one that the interpreter has."""
