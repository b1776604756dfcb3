"""Keepsake: a Discord bot with a memory that can be trusted."""

__version__ = "0.1.0"
