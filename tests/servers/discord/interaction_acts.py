"""What members do with the bot's commands, buttons, selects and forms."""

import asyncio
from collections.abc import Mapping, Sequence

from tests.servers.discord import components
from tests.servers.discord.command_options import Focus, Value, options_of, referred
from tests.servers.discord.command_rules import CommandKind, OptionKind
from tests.servers.discord.commands import FakeCommand
from tests.servers.discord.components import ComponentKind, NotOfferedError, labels
from tests.servers.discord.guild_base import GuildBase
from tests.servers.discord.interaction import CallbackKind, FakeInteraction, InteractionKind
from tests.servers.discord.interactions import Interactions
from tests.servers.discord.permissions import EVERYTHING, Permission
from tests.servers.discord.render_messages import message_json
from tests.servers.discord.scene import Resolved, Scene
from tests.servers.discord.state import FakeChannel, FakeMember, FakeMessage, FakeUser, Json

DIRECTLY = "@me"
"""Given as the channel of a command: the direct messages with the bot."""

_REFERRING = {
    ComponentKind.USER_SELECT: OptionKind.USER,
    ComponentKind.ROLE_SELECT: OptionKind.ROLE,
    ComponentKind.MENTIONABLE_SELECT: OptionKind.MENTIONABLE,
    ComponentKind.CHANNEL_SELECT: OptionKind.CHANNEL,
}


class InteractionActs(GuildBase):
    """The acts of members that the bot hears of as interactions.

    Each waits until the bot has answered (for what was deferred: until a message is there), and raises
    `NotAnsweredError` where Discord would show that the application did not respond. What a member could not do,
    for want of a permission or because it is not there, raises `NotOfferedError`.
    """

    async def slash(
        self,
        user: FakeMember | FakeUser | str,
        channel: FakeChannel | str,
        path: str,
        /,
        **options: Value,
    ) -> FakeInteraction:
        """Let a member send a slash command, such as "memory show", in a channel or (`DIRECTLY`) in private.

        Members, channels and roles are given or named; the path and options also in the member's own language.
        """
        scene = self._scene(user, channel)
        command, words = _typed_command(scene, path)
        resolved = Resolved(scene)
        data = _data(command)
        given = options_of(command, words, options, resolved)
        if given:
            data["options"] = given
        return await self._answered(scene, InteractionKind.COMMAND, data | resolved.json(), command=command)

    async def autocomplete(
        self,
        user: FakeMember | FakeUser | str,
        channel: FakeChannel | str,
        path: str,
        /,
        *,
        focused: str,
        typed: str = "",
        **options: Value,
    ) -> FakeInteraction:
        """Let a member type into the option `focused`, with others filled in; see `choices` of what is returned."""
        scene = self._scene(user, channel)
        command, words = _typed_command(scene, path)
        resolved = Resolved(scene)
        given = options_of(command, words, options, resolved, Focus(focused, typed))
        data: Json = {**_data(command), "options": given, **resolved.json()}
        return await self._answered(scene, InteractionKind.AUTOCOMPLETE, data, command=command)

    async def message_menu(
        self, user: FakeMember | FakeUser | str, name: str, message: FakeMessage
    ) -> FakeInteraction:
        """Let a member choose an app's entry of a message's menu."""
        scene = self._scene(user, message.channel)
        if message.ephemeral or message.deleted:
            raise NotOfferedError(f"message {message.message_id} has no such menu: it is ephemeral or gone")
        command = _offered(scene, CommandKind.MESSAGE, name)
        resolved = Resolved(scene)
        target_id = resolved.add_message(message, message_json(message, self.world))
        data: Json = {**_data(command), "target_id": target_id, **resolved.json()}
        return await self._answered(scene, InteractionKind.COMMAND, data, command=command)

    async def user_menu(
        self,
        user: FakeMember | FakeUser | str,
        name: str,
        target: FakeMember | FakeUser | str,
        channel: FakeChannel | str | None = None,
    ) -> FakeInteraction:
        """Let a member choose an app's entry of another member's menu, in a channel (`None`: the first)."""
        scene = self._scene(user, channel or next(iter(self.channels.values())))
        command = _offered(scene, CommandKind.USER, name)
        resolved = Resolved(scene)
        target_id = referred(OptionKind.USER, target, resolved)
        data: Json = {**_data(command), "target_id": target_id, **resolved.json()}
        return await self._answered(scene, InteractionKind.COMMAND, data, command=command)

    async def click(
        self, user: FakeMember | FakeUser | str, message: FakeMessage, label_or_custom_id: str
    ) -> FakeInteraction:
        """Let a member press a button, named by label, emoji or custom id."""
        return await self._use(user, message, label_or_custom_id, ())

    async def forge(
        self, user: FakeMember | FakeUser | str, message: FakeMessage, custom_id: str
    ) -> FakeInteraction:
        """Let a member press the first button of a message with another id than the bot gave to it."""
        components.find(message.components, labels(message.components)[0])["custom_id"] = custom_id
        return await self._use(user, message, custom_id, ())

    async def choose(
        self,
        user: FakeMember | FakeUser | str,
        message: FakeMessage,
        placeholder_or_custom_id: str,
        *values: str | FakeMember | FakeUser | FakeChannel,
    ) -> FakeInteraction:
        """Let a member choose from a select: options by label or value; members, roles, channels by name."""
        return await self._use(user, message, placeholder_or_custom_id, values)

    async def submit_modal(
        self, opened: FakeInteraction, values: Mapping[str, str | Sequence[str]] | None = None, /, **more: str
    ) -> FakeInteraction:
        """Let the member who was shown a form by `opened` send it in.

        Fields are named by custom id or label; what is left out keeps what the form proposed.
        """
        if opened.modal is None:
            raise NotOfferedError(f"{opened.name} was not answered with a form")
        data: Json = {
            "custom_id": opened.modal["custom_id"],
            "components": components.filled_in(opened.modal, {**(values or {}), **more}),
        }
        return await self._answered(
            opened.scene, InteractionKind.MODAL, data, message=opened.message, opened_by=opened
        )

    async def _use(
        self,
        user: FakeMember | FakeUser | str,
        message: FakeMessage,
        name: str,
        values: Sequence[str | FakeMember | FakeUser | FakeChannel],
    ) -> FakeInteraction:
        scene = self._scene(user, message.channel)
        shown = self.world.interactions.shown_to(message) if message.ephemeral else None
        if message.deleted or (shown is not None and shown.scene.user is not scene.user):
            raise NotOfferedError(f"{scene.user.name} does not see message {message.message_id}")
        component = components.find(message.components, name)
        data: Json = {
            "component_type": component["type"],
            "custom_id": component["custom_id"],
            "id": component["id"],
        }
        if component["type"] != ComponentKind.BUTTON:
            data |= _selected(component, values, Resolved(scene))
        elif values:
            raise NotOfferedError(f"{name!r} is a button: nothing can be chosen from it")
        return await self._answered(scene, InteractionKind.COMPONENT, data, message=message)

    def _scene(self, user: FakeMember | FakeUser | str, channel: FakeChannel | str) -> Scene:
        account = self.member(user).user
        if channel == DIRECTLY:
            channel = self.world.direct_channel(account)
        room = self.channel(channel)
        if room.guild is None and room.recipient is not account:
            raise NotOfferedError(f"these direct messages are not {account.name}'s")
        scene = Scene(
            world=self.world, user=account, channel=room, guild=None if room.guild is None else self
        )
        if not scene.permissions & Permission.VIEW_CHANNEL:
            raise NotOfferedError(f"{account.name} does not see #{room.name}")
        return scene

    async def _answered(
        self,
        scene: Scene,
        kind: InteractionKind,
        data: Json,
        *,
        command: FakeCommand | None = None,
        message: FakeMessage | None = None,
        opened_by: FakeInteraction | None = None,
    ) -> FakeInteraction:
        interactions = self.world.interactions
        interaction = FakeInteraction(
            interaction_id=self.world.snowflakes.next(),
            token=interactions.new_token(),
            kind=kind,
            scene=scene,
            data=data,
            began=asyncio.get_running_loop().time(),
            command=command,
            message=message,
            opened_by=opened_by,
        )
        interactions.begin(interaction)
        await _wait(interaction, interactions)
        return interaction


async def _wait(interaction: FakeInteraction, interactions: Interactions) -> None:
    # The answer may be on its way back to the bot when the limit is reached: a moment more is given.
    await interaction.until(lambda it: it.response is not None, interactions.answer_within_seconds + 0.2)
    if interaction.response is CallbackKind.DEFERRED_MESSAGE:
        # Who takes the "thinking" message away again has answered too.
        await interaction.until(
            lambda it: bool(it.messages) or (it.original is not None and it.original.deleted),
            interactions.wait_seconds,
        )


def _typed_command(scene: Scene, path: str) -> tuple[FakeCommand, list[str]]:
    name, *words = path.removeprefix("/").split()
    return _offered(scene, CommandKind.CHAT, name), words


def _offered(scene: Scene, kind: CommandKind, name: str) -> FakeCommand:
    everywhere = scene.world.interactions.commands.all_of(None)
    local = [] if scene.guild is None else scene.world.interactions.commands.all_of(scene.guild.guild_id)
    # A guild's own command hides the one of the same name that is everywhere.
    known = [one for one in (*local, *everywhere) if one.kind is kind]
    command = next((one for one in known if one.is_called(name, scene.user.locale)), None)
    if command is None:
        raise NotOfferedError(
            f"there is no {kind.name.lower()} command {name!r}, only {[one.name for one in known]}"
        )
    why_not = _withheld(scene, command)
    if why_not:
        raise NotOfferedError(f"{name!r} is not offered to {scene.user.name}: {why_not}")
    return command


def _withheld(scene: Scene, command: FakeCommand) -> str:
    if scene.guild is None:
        return "" if command.in_direct_messages else "it is not for direct messages"
    if not command.in_guilds:
        return "it is for direct messages alone"
    if not scene.permissions & Permission.USE_APPLICATION_COMMANDS:
        return "no commands may be used in this channel"
    if command.body["nsfw"] and not scene.channel.nsfw:
        return "it is for age-restricted channels"
    if command.needs is None or scene.permissions == EVERYTHING:
        return ""
    if (command.name, scene.user.user_id) in scene.guild.granted_commands:
        return ""
    if command.needs == 0:
        return "it is for administrators"
    lacking = command.needs & ~scene.permissions
    return f"the permissions {lacking:#x} are missing" if lacking else ""


def _data(command: FakeCommand) -> Json:
    data: Json = {"id": str(command.command_id), "name": command.name, "type": int(command.kind)}
    if command.guild_id is not None:
        data["guild_id"] = str(command.guild_id)
    return data


def _selected(
    select: Json, values: Sequence[str | FakeMember | FakeUser | FakeChannel], resolved: Resolved
) -> Json:
    kind = _REFERRING.get(ComponentKind(int(str(select["type"]))))
    if kind is None:
        return {"values": components.chosen(select, [str(value) for value in values])}
    ids = components.chosen(select, [referred(kind, value, resolved) for value in values])
    return {"values": ids, **resolved.json()}
