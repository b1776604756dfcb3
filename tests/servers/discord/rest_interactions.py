"""The bot's commands, its answers to interactions, and the follow-ups below `/webhooks/{application}/{token}`."""

from aiohttp import web

from tests.servers.discord import drafts
from tests.servers.discord.command_rules import Json, form_errors
from tests.servers.discord.commands import CommandRefusedError, FakeCommand
from tests.servers.discord.errors import MISSING_ACCESS, DiscordError
from tests.servers.discord.render_messages import message_json
from tests.servers.discord.rest import Handler, answer, done
from tests.servers.discord.world import World

_UNKNOWN_COMMAND = (404, 10063, "Unknown application command")
_UNKNOWN_APPLICATION = (404, 10002, "Unknown Application")


class InteractionRoutes:
    """The routes of commands and interactions."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._interactions = world.interactions
        self._commands = world.interactions.commands

    def routes(self) -> list[web.RouteDef]:
        """Return the routes, their paths below the API's address."""
        everywhere = "/applications/{application_id:[0-9]+}/commands"
        local = "/applications/{application_id:[0-9]+}/guilds/{guild_id:[0-9]+}/commands"
        follow_ups = "/webhooks/{application_id:[0-9]+}/{token}"
        message = f"{follow_ups}/messages/{{message_id}}"
        return [
            *(route for path in (everywhere, local) for route in self._routes_of_commands(path)),
            web.post("/interactions/{interaction_id:[0-9]+}/{token}/callback", self._respond),
            web.post(follow_ups, self._follow_up),
            web.get(message, self._message),
            web.patch(message, self._edit),
            web.delete(message, self._delete),
        ]

    def _routes_of_commands(self, path: str) -> list[web.RouteDef]:
        one = f"{path}/{{command_id:[0-9]+}}"
        return [
            web.get(path, self._list),
            web.put(path, _refusing(self._overwrite)),
            web.post(path, _refusing(self._put)),
            web.get(one, self._get),
            web.patch(one, _refusing(self._change)),
            web.delete(one, self._remove),
        ]

    async def _list(self, request: web.Request) -> web.Response:
        localised = request.query.get("with_localizations", "false").lower() in ("true", "1")
        return answer(
            [
                self._commands.rendered(command, localised=localised)
                for command in self._commands.all_of(self._scope(request))
            ]
        )

    async def _overwrite(self, request: web.Request) -> web.StreamResponse:
        bodies = await request.json()
        commands = self._commands.overwrite(self._scope(request), bodies or [])
        return answer([self._commands.rendered(command) for command in commands])

    async def _put(self, request: web.Request) -> web.StreamResponse:
        command, is_new = self._commands.put(self._scope(request), await request.json())
        return answer(self._commands.rendered(command), 201 if is_new else 200)

    async def _get(self, request: web.Request) -> web.Response:
        return answer(self._commands.rendered(self._command(request)))

    async def _change(self, request: web.Request) -> web.StreamResponse:
        fields: Json = await request.json()
        return answer(self._commands.rendered(self._commands.change(self._command(request), fields)))

    async def _remove(self, request: web.Request) -> web.Response:
        self._commands.remove(self._command(request))
        return done()

    async def _respond(self, request: web.Request) -> web.Response:
        asked = await drafts.read(request)
        interaction_id, token = int(request.match_info["interaction_id"]), request.match_info["token"]
        told = self._interactions.respond(interaction_id, token, asked)
        wanted = request.query.get("with_response", "false").lower() in ("true", "1")
        return answer(told) if wanted else done()

    async def _follow_up(self, request: web.Request) -> web.Response:
        message = self._interactions.follow_up(self._token(request), await drafts.read(request))
        return answer(message_json(message, self._world))

    async def _message(self, request: web.Request) -> web.Response:
        message = self._interactions.message(self._token(request), request.match_info["message_id"])
        return answer(message_json(message, self._world))

    async def _edit(self, request: web.Request) -> web.Response:
        which, asked = request.match_info["message_id"], await drafts.read(request)
        message = self._interactions.edit(self._token(request), which, asked)
        return answer(message_json(message, self._world))

    async def _delete(self, request: web.Request) -> web.Response:
        self._interactions.delete(self._token(request), request.match_info["message_id"])
        return done()

    def _scope(self, request: web.Request) -> int | None:
        if int(request.match_info["application_id"]) != self._world.application_id:
            raise DiscordError(*_UNKNOWN_APPLICATION)
        guild_id = request.match_info.get("guild_id")
        if guild_id is None:
            return None
        guild = self._world.guilds.get(int(guild_id))
        if guild is None or not guild.has_bot:
            raise DiscordError(*MISSING_ACCESS)
        return guild.guild_id

    def _command(self, request: web.Request) -> FakeCommand:
        command = self._commands.get(int(request.match_info["command_id"]), self._scope(request))
        if command is None:
            raise DiscordError(*_UNKNOWN_COMMAND)
        return command

    def _token(self, request: web.Request) -> str:
        if int(request.match_info["application_id"]) != self._world.application_id:
            raise DiscordError(404, 10015, "Unknown Webhook")
        return request.match_info["token"]


def _refusing(handler: Handler) -> Handler:
    async def handled(request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except CommandRefusedError as error:
            raise DiscordError(400, 50035, "Invalid Form Body", form_errors(error.mistakes)) from error

    return handled
