"""The loopback Discord for every test of this face."""

from tests.servers.discord.fixtures import discord_server

__all__ = ["discord_server"]
