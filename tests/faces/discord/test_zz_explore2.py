from tests.faces.discord.test_zz_explore import *
from tests.faces.discord.day_acts import *
del test_x
async def test_y(discord_server, database, caplog):
    guild = open_house(discord_server)
    async with GeminiServer() as g:
        g.default = think
        g.answer("route", {"kind":"chat","confident":True})
        g.answer("reply", reply)
        async with running_bot(discord_server, database, gemini_api_key="x", gemini_base_url=g.url) as bot:
            p = Player(discord_server, guild)
            await p.play([to_bot("alice", "general", "{Keepsake} how was your night?", "x")])
            print(p.wrong)
        for c in g.calls: print(c.operation, c.status, c.answer, c.fault, c.model, c.text[-600:])
