"""Commands of one author that are heard at the same time see what each of them did, whichever begins first."""

import asyncio
from datetime import timedelta

from bot.chat.attention import AuthorOrder
from tests.chat.guild import TalkingGuild
from tests.chat.test_overtaken import written


async def test_an_earlier_command_that_comes_after_a_later_one_has_begun_waits_for_it(
    guild: TalkingGuild,
) -> None:
    order = AuthorOrder()
    done: list[str] = []
    remember = written(guild, "alice", "Bot, remember that I sing", ago=timedelta(minutes=2))
    forget = written(guild, "alice", "Bot, forget that I sing", ago=timedelta(minutes=1))
    asked = written(guild, "alice", "Bot, what do you know about me?", ago=timedelta(minutes=3))
    begun, may_end = asyncio.Event(), asyncio.Event()

    async def later() -> None:
        async with order.entered(forget, writes=True):
            await order.turn(forget)
            begun.set()
            await may_end.wait()
            done.append("forget")

    async def earlier() -> None:
        await begun.wait()
        async with order.entered(remember, writes=True):
            await order.turn(remember)
            done.append("remember")

    async def question() -> None:
        await begun.wait()
        # It writes nothing, and waits only for what was said before it.
        await order.turn(asked)
        done.append("asked")
        await asyncio.sleep(0)
        may_end.set()

    await asyncio.gather(later(), earlier(), question())
    assert done == ["asked", "forget", "remember"]
