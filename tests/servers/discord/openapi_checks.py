"""Whether what goes over the wire is what Discord describes: each exchange of the REST API, each event.

The description covers the REST API alone; events are held against the same objects, put together as the gateway does.
"""

from collections.abc import Mapping
from functools import cache

from tests.servers.discord.openapi import (
    Description,
    OperationUnknownError,
    check_request,
    check_response,
    description,
)
from tests.servers.discord.recording import Exchange
from tests.servers.discord.state import Json

_ID: Json = {"$ref": "#/components/schemas/SnowflakeType"}
_NUMBER: Json = {"type": "integer"}
_TEXT: Json = {"type": "string"}
_YES: Json = {"type": "boolean"}


def _a(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def _list_of(inner: Json) -> Json:
    return {"type": "array", "items": inner}


def _map_of(inner: Json) -> Json:
    return {"type": "object", "additionalProperties": inner}


def _object(**fields: Json) -> Json:
    """Return the schema of an object that needs all `fields` but those whose name ends in `_`."""
    needed = [name for name in fields if not name.endswith("_")]
    return {
        "type": "object",
        "properties": {name.rstrip("_"): inner for name, inner in fields.items()},
        "required": needed,
    }


def _and(first: Json, **fields: Json) -> Json:
    return {"allOf": [first, _object(**fields)]}


_PARTIAL_CHANNEL = _object(
    id=_ID, type=_a("ChannelTypes"), permissions_=_TEXT, name_={"type": ["string", "null"]}, parent_id_={}
)
_GONE_THREAD = _object(id=_ID, guild_id=_ID, parent_id=_ID, type=_a("ChannelTypes"))
_THREAD_MEMBER = _a("ThreadMemberResponse")
_RESOLVED = _object(
    users_=_map_of(_a("UserResponse")),
    members_=_map_of(_a("PartialMember")),
    roles_=_map_of(_a("GuildRoleResponse")),
    channels_=_map_of({"allOf": [_PARTIAL_CHANNEL, {"required": ["permissions", "name"]}]}),
    messages_=_map_of(_a("MessageResponse")),
)
_MESSAGE = _and(_a("MessageResponse"), guild_id_=_ID, member_=_a("PartialMember"))
_INTERACTION = _object(
    id=_ID,
    application_id=_ID,
    type=_a("InteractionTypes"),
    token=_TEXT,
    version={"const": 1},
    data=_object(id_={}, name_=_TEXT, custom_id_=_TEXT, target_id_=_ID, guild_id_=_ID, resolved_=_RESOLVED),
    channel=_PARTIAL_CHANNEL,
    channel_id=_ID,
    locale=_TEXT,
    app_permissions=_TEXT,
    entitlements={"type": "array"},
    authorizing_integration_owners=_map_of(_ID),
    context=_a("InteractionContextType"),
    attachment_size_limit=_NUMBER,
    guild_id_=_ID,
    guild_locale_=_TEXT,
    member_=_and(_a("GuildMemberResponse"), permissions=_TEXT),
    user_=_a("UserResponse"),
    message_=_a("MessageResponse"),
)
_MEMBER = _and(_a("GuildMemberResponse"), guild_id=_ID)
_ROLE = _object(guild_id=_ID, role=_a("GuildRoleResponse"))
_AN_ID_AND_CHANNEL = _object(id=_ID, channel_id=_ID, guild_id_=_ID)
_UNAVAILABLE = _object(id=_ID, unavailable_=_YES)
_GUILD = _and(
    _a("GuildResponse"),
    joined_at=_TEXT,
    large=_YES,
    member_count=_NUMBER,
    members=_list_of(_a("GuildMemberResponse")),
    channels=_list_of(_a("GuildChannelResponse")),
    threads=_list_of(_a("ThreadResponse")),
    presences={"type": "array"},
)

_EVENTS: Mapping[str, Json] = {
    "READY": _object(
        v={"const": 10},
        user=_a("UserPIIResponse"),
        guilds=_list_of(_UNAVAILABLE),
        session_id=_TEXT,
        resume_gateway_url=_TEXT,
        application=_object(id=_ID, flags=_NUMBER),
        shard_=_list_of(_NUMBER),
    ),
    "RESUMED": {"type": ["object", "null"]},
    "GUILD_CREATE": _GUILD,
    "GUILD_UPDATE": _a("GuildResponse"),
    "GUILD_DELETE": _UNAVAILABLE,
    "CHANNEL_CREATE": _a("GuildChannelResponse"),
    "CHANNEL_UPDATE": _a("GuildChannelResponse"),
    "CHANNEL_DELETE": _a("GuildChannelResponse"),
    "THREAD_CREATE": _a("ThreadResponse"),
    "THREAD_UPDATE": _a("ThreadResponse"),
    "THREAD_DELETE": _GONE_THREAD,
    "THREAD_LIST_SYNC": _object(
        guild_id=_ID, threads=_list_of(_a("ThreadResponse")), members=_list_of(_THREAD_MEMBER)
    ),
    "THREAD_MEMBER_UPDATE": _and(_THREAD_MEMBER, guild_id=_ID),
    "THREAD_MEMBERS_UPDATE": _object(id=_ID, guild_id=_ID, member_count=_NUMBER),
    "GUILD_ROLE_CREATE": _ROLE,
    "GUILD_ROLE_UPDATE": _ROLE,
    "GUILD_ROLE_DELETE": _object(guild_id=_ID, role_id=_ID),
    "GUILD_MEMBER_ADD": _MEMBER,
    "GUILD_MEMBER_UPDATE": _MEMBER,
    "GUILD_MEMBER_REMOVE": _object(guild_id=_ID, user=_a("UserResponse")),
    "GUILD_MEMBERS_CHUNK": _object(
        guild_id=_ID,
        members=_list_of(_a("GuildMemberResponse")),
        chunk_index=_NUMBER,
        chunk_count=_NUMBER,
        not_found_={"type": "array"},
        nonce_=_TEXT,
    ),
    "MESSAGE_CREATE": _MESSAGE,
    "MESSAGE_UPDATE": _MESSAGE,
    "MESSAGE_DELETE": _AN_ID_AND_CHANNEL,
    "MESSAGE_DELETE_BULK": _object(ids=_list_of(_ID), channel_id=_ID, guild_id_=_ID),
    "INTERACTION_CREATE": _INTERACTION,
    "CHANNEL_PINS_UPDATE": _object(channel_id=_ID),
    "USER_UPDATE": _a("UserPIIResponse"),
}

_MORE_OF_MESSAGES = {"guild_id", "member"}


def check_exchange(exchange: Exchange) -> list[str]:
    """Return what is wrong with a request of the client and with what it was answered, one line each.

    What was sent is only judged if it was accepted: a client may be told that it was wrong. So it may be told that
    there is no such path.
    """
    try:
        found = check_response(exchange.method, exchange.path, exchange.status, exchange.answered)
        if exchange.status < 400:
            found += check_request(exchange.method, exchange.path, exchange.sent)
    except OperationUnknownError as error:
        return [] if exchange.status == 404 else [str(error)]
    return found


def check_event(name: str, data: object) -> list[str]:
    """Return what is wrong with an event of the gateway, one line each."""
    if name not in _EVENTS:
        return [f"{name}: nothing is known of this event"]
    found = [f"{name}: {problem}" for problem in _with_events().problems_of(f"event {name}", data)]
    if name.startswith("MESSAGE_") and isinstance(data, dict) and "content" in data:
        known = description().fields_of("MessageResponse") | _MORE_OF_MESSAGES
        found += [f"{name}: {stray!r} is no field of a message" for stray in sorted(set(data) - known)]
    return found


@cache
def _with_events() -> Description:
    whole = description()
    member = whole.schema("GuildMemberResponse")
    needed = member["required"]
    assert isinstance(needed, list)
    # Where the user stands beside it, or is somebody known, a member comes without the user.
    left_out = ("user", "mute", "deaf")
    whole.add("PartialMember", {**member, "required": [name for name in needed if name not in left_out]})
    for name, schema in _EVENTS.items():
        whole.add(f"event {name}", schema)
    return whole
