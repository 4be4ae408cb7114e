"""Models whose parts run on several devices."""
