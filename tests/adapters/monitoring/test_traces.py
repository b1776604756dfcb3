"""One trace follows a reply from the message to its sending, and nothing that was said is in it, nor in the log."""

import logging
import re
from collections.abc import Mapping, Sequence
from typing import Final

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from bot.adapters.monitoring.exporting import figures_of
from bot.adapters.monitoring.metrics import INSTRUMENTS
from bot.db.pool import Database
from tests.adapters.discord.bots import running_bot
from tests.adapters.discord.talking import model_that_says
from tests.servers.collector import collecting
from tests.servers.discord.fixtures import discord_server
from tests.servers.discord.server import DiscordServer
from tests.servers.discord.waiting import PATIENCE_SECONDS

__all__ = ["discord_server"]

PLANTED: Final = ("walnut", "cracker", "cheddar", "lisbon", "alice", "bob", "general", "home")
"""Words of what was said, and names."""


def attributes(span: Span) -> dict[str, str | int | bool]:
    return {
        one.key: getattr(one.value, one.value.WhichOneof("value") or "string_value")
        for one in span.attributes
    }


def one_of(spans: Sequence[Span], name: str) -> Span:
    [span] = [span for span in spans if span.name == name]
    return span


def way_to(span: Span, by_id: Mapping[bytes, Span]) -> list[str]:
    """Return the names of what a span is inside, the outermost first."""
    names: list[str] = []
    while span.parent_span_id:
        span = by_id[span.parent_span_id]
        names.insert(0, span.name)
    return names


async def test_one_trace_follows_a_reply_to_its_sending_and_tells_nothing_that_was_said(
    discord_server: DiscordServer, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "bot")
    guild = discord_server.add_guild("Walnut Home")
    with collecting() as collector:
        async with (
            model_that_says("Crackers go well with cheddar.") as gemini,
            running_bot(
                discord_server,
                database,
                gemini_api_key="x",
                gemini_base_url=gemini.url,
                model_chat="gemini-flash-latest",
                otel_exporter_otlp_endpoint=collector.address,
            ) as bot,
            figures_of(bot.keepsake),
        ):
            for said in ("Bot, remember that I like walnuts", "Bot, I want cheddar, not brie"):
                await discord_server.answer_to(await guild.say("alice", "general", said))
            await guild.say("bob", "general", "I live in Lisbon")
            await bot.keepsake.memory.settled()
            await bot.client.under_way.finish(PATIENCE_SECONDS)
            await bot.keepsake.work.idle()
            with pytest.raises(ValueError, match="cheddar"), bot.keepsake.meter.span("wrong"):
                raise ValueError("alice wants cheddar")
    spans = collector.spans
    by_id = {span.span_id: span for span in spans}
    asked = [span for span in spans if span.name == "operation reply"]
    [reply] = [span for span in asked if attributes(span) == {"keepsake.outcome": "model"}]
    together = [span for span in spans if span.trace_id == reply.trace_id]
    ways = {span.name: way_to(span, by_id) for span in together}
    assert ways["operation reply"] == ways["operation route"] == ["message", "answer"]
    assert ways["chat gemini-flash-latest"] == ["message", "answer", "operation reply"]
    assert ways["send"] == ["message"]
    # Read by a task that the answer begins beside others, and by one that goes on whoever waits for it.
    assert ways["database Recall.search.read"] == ["message", "answer"]
    assert ways["build day"] == ["message", "answer"]
    assert attributes(one_of(together, "message")) == {"keepsake.route": "chat", "keepsake.degraded": False}
    assert attributes(one_of(together, "operation reply")) == {"keepsake.outcome": "model"}
    called = attributes(max(spans, key=lambda span: span.name == "chat gemini-flash-latest"))
    assert called.pop("gen_ai.usage.input_tokens")
    assert called.pop("gen_ai.usage.output_tokens")
    assert called == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "gcp.gemini",
        "gen_ai.request.model": "gemini-flash-latest",
        "gen_ai.usage.cache_read.input_tokens": 0,
        "keepsake.operation": "reply",
        "keepsake.outcome": "answered",
    }
    others = {span.name for span in spans if not span.parent_span_id}
    assert others >= {"message", "write messages", "read facts", "work narrative", "wrong"}
    assert not any(name.startswith("database") for name in others), "what loops look for is no trace"
    wrong = one_of(spans, "wrong")
    assert (wrong.status.code, attributes(wrong)) == (Status.STATUS_CODE_ERROR, {"error.type": "ValueError"})

    told = "".join(map(str, [*collector.traces, *collector.metrics])).casefold()
    for word in PLANTED:
        assert word not in told
        assert word not in caplog.text.casefold()
    given = {str(value) for span in spans for value in attributes(span).values()}
    assert not [value for value in given if re.search(r"\d{15}", value)], "an id"
    assert {one.key for resource in collector.resources for one in resource.attributes} == {
        "service.name",
        "service.version",
    }
    exported = {
        metric.name
        for resource in collector.metrics[-1].resource_metrics
        for scope in resource.scope_metrics
        for metric in scope.metrics
    }
    assert {"keepsake.model.calls", "keepsake.queue.length"} <= exported <= {one.name for one in INSTRUMENTS}
