import asyncio, sys
import pytest
from tests.faces.discord.bots import running_bot
from tests.faces.discord import day
from tests.faces.discord.playing import Player, open_house, settled
from tests.servers.gemini import GeminiServer
from tests.servers.brain import think
import re, html

def reply(asked):
    m = re.search(r"<to_answer>(.*?)</to_answer>", asked.text, re.S)
    text = html.unescape(m[1]) if m else asked.text
    for k, v in day.CHAT.items():
        if k in text: return {'text': v}
    return "???"+text[-200:]

async def test_x(discord_server, database):
    guild = open_house(discord_server)
    async with GeminiServer() as g:
        g.default = think
        g.answer("route", {"kind":"chat","confident":True})
        g.answer("reply", reply)
        async with running_bot(discord_server, database, gemini_api_key="x", gemini_base_url=g.url) as bot:
            p = Player(discord_server, guild)
            try:
                await p.play(day.DAY)
            finally:
                print("\n".join(p.wrong))
            await settled(discord_server, 1)
        rows = await database.read(lambda c: c.fetch("SELECT message_id, kind, audience, message_text, attachments, withheld, edited_at IS NOT NULL e FROM chat_history ORDER BY message_id"))
        for r in rows: 
            if "chatter" not in r["message_text"]: print(tuple(r))
        print([len(g.calls), {a.operation for a in g.calls}])
