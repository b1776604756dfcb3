"""Run the loopback Discord alone: `python -m tests.servers.discord`, and talk to the bot in lines.

alice #general: Keepsake, remember that I like tea
alice @: a direct message
drop                  (drops the bot's connections; `heal` ends all faults)
"""

import argparse
import asyncio
import sys

from tests.servers.discord.guild import FakeGuild
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.state import FakeMessage

_SCRIPT = (
    ("alice", "general", "good morning"),
    ("bob", "general", "morning! my favourite tea is oolong"),
    ("alice", "games", "who is in for chess on Friday?"),
)


async def main(port: int) -> None:
    """Serve until the input ends; lines typed are said, what the bot sends is printed."""
    async with DiscordServer(port=port) as server:
        guild = server.add_guild("Friends", members=("alice", "bob", "carol"), channels=("general", "games"))
        guild.add_channel("secret", visible_to=())
        for author, channel, text in _SCRIPT:
            await guild.say(author, channel, text)
        server.world.on_sent.append(_print)
        print(f"DISCORD_TOKEN={server.token}")
        print(f"DISCORD_API_URL={server.api_url}")
        print(f"DISCORD_GATEWAY_URL={server.gateway_url}", flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            try:
                await carry_out(server, guild, line.strip())
            except (LookupError, ValueError) as error:
                print(f"? {error}", flush=True)


async def carry_out(server: DiscordServer, guild: FakeGuild, line: str) -> None:
    """Do what a typed line says. Raises `ValueError` or `LookupError` for one that cannot be done."""
    if line in ("", "drop", "heal"):
        if line == "drop":
            server.faults.drop_socket()
        if line == "heal":
            server.faults.heal()
        return
    address, colon, text = line.partition(":")
    author, space, place = address.strip().partition(" ")
    if not colon or not space or place[:1] not in ("#", "@"):
        raise ValueError(f"{line!r}: write it as alice #general: text, alice @: text, drop or heal")
    text = text.strip().replace("@Keepsake", guild.bot.mention)
    if place.startswith("@"):
        await guild.say_directly(author, text)
    else:
        await guild.say(author, place.strip(), text)


def shown(message: FakeMessage) -> str:
    """Return a message in one line, as a person at a terminal reads it."""
    place = "@" + message.channel.recipient.name if message.channel.recipient else "#" + message.channel.name
    extras = [f"[{attachment.filename}]" for attachment in message.attachments]
    extras += [str(embed.get("title") or embed.get("description")) for embed in message.embeds]
    return " ".join([f"{message.author.name} {place}: {message.text}", *extras])


def _print(message: FakeMessage) -> None:
    print(shown(message), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.servers.discord", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="port to listen on; 0 for any that is free")
    asyncio.run(main(parser.parse_args().port))
