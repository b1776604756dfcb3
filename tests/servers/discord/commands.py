"""The application commands that the bot has put up, of all guilds and of single ones."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tests.servers.discord.command_rules import CommandKind, Json, Mistake, OptionKind, mistakes_in

_MOST = {CommandKind.CHAT: 100, CommandKind.USER: 15, CommandKind.MESSAGE: 15}
_GUILD, _WITH_BOT = 0, 1
_CHANGEABLE = (
    "name name_localizations description description_localizations options default_member_permissions "
    "dm_permission contexts integration_types nsfw type"
).split()


class CommandRefusedError(ValueError):
    """A body that is no valid command; `mistakes` say where and why."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        super().__init__("; ".join(f"{mistake.where}: {mistake.sentence}" for mistake in mistakes))
        self.mistakes = mistakes


@dataclass(frozen=True, slots=True, kw_only=True)
class FakeCommand:
    """One command as Discord keeps it."""

    command_id: int
    version: int
    guild_id: int | None
    """The one guild that has it; `None`: it is everywhere."""
    kind: CommandKind
    name: str
    body: Json
    """What the bot sent, tidied as Discord tidies it."""

    @property
    def options(self) -> list[Json]:
        """The options of the outermost level."""
        return self.body.get("options", [])  # type: ignore[return-value]

    @property
    def needs(self) -> int | None:
        """The permissions that a member must have to be offered it; `None`: anybody, 0: administrators."""
        needed = self.body["default_member_permissions"]
        return None if needed is None else int(str(needed))

    @property
    def in_guilds(self) -> bool:
        """Whether it is offered in guilds."""
        contexts = self.body.get("contexts")
        return not isinstance(contexts, list) or _GUILD in contexts

    @property
    def in_direct_messages(self) -> bool:
        """Whether it is offered in direct messages with the bot."""
        contexts = self.body.get("contexts")
        if self.guild_id is not None:
            return False
        return _WITH_BOT in contexts if isinstance(contexts, list) else bool(self.body.get("dm_permission"))

    def is_called(self, name: str, locale: str) -> bool:
        """Return whether somebody whose client speaks `locale` knows it by `name`."""
        return known_as(self.body, name, locale)


class Commands:
    """All commands of the one application. Ids stay as long as kind and name do."""

    def __init__(self, application_id: int, next_id: Callable[[], int]) -> None:
        self._application_id = application_id
        self._next_id = next_id
        self._kept: dict[int, FakeCommand] = {}

    def all_of(self, guild_id: int | None) -> list[FakeCommand]:
        """Return the commands of one guild, or (`None`) those that are everywhere, in the order of their names."""
        found = [command for command in self._kept.values() if command.guild_id == guild_id]
        return sorted(found, key=lambda command: (command.kind, command.name))

    def get(self, command_id: int, guild_id: int | None) -> FakeCommand | None:
        """Return one command of this scope."""
        found = self._kept.get(command_id)
        return found if found is not None and found.guild_id == guild_id else None

    def overwrite(self, guild_id: int | None, bodies: Sequence[Json]) -> list[FakeCommand]:
        """Replace all commands of this scope. Raises `CommandRefusedError`, and then changes nothing."""
        mistakes = [mistake for number, body in enumerate(bodies) for mistake in mistakes_in(body, (number,))]
        keys = [_key(body) for body in bodies]
        mistakes += [
            Mistake(
                (number,), "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"
            )
            for number, key in enumerate(keys)
            if key in keys[:number]
        ]
        for kind, most in _MOST.items():
            if sum(key[0] == kind for key in keys) > most:
                mistakes.append(Mistake((), "BASE_TYPE_BAD_LENGTH", f"At most {most} of type {kind}"))
        if mistakes:
            raise CommandRefusedError(mistakes)
        made = [self._made(guild_id, body) for body in bodies]
        for command in self.all_of(guild_id):
            del self._kept[command.command_id]
        self._kept.update({command.command_id: command for command in made})
        return made

    def put(self, guild_id: int | None, body: Json) -> tuple[FakeCommand, bool]:
        """Add a command, or replace the one of its name; say whether it is new. Raises `CommandRefusedError`."""
        _check(body)
        known = self._named(guild_id, _key(body))
        made = self._made(guild_id, body)
        self._kept[made.command_id] = made
        return made, known is None

    def change(self, command: FakeCommand, fields: Json) -> FakeCommand:
        """Change only the fields given. Raises `CommandRefusedError`."""
        body = {**command.body, **fields, "type": int(command.kind)}
        _check(body)
        changed = self._made(command.guild_id, body, known=command)
        self._kept[command.command_id] = changed
        return changed

    def remove(self, command: FakeCommand) -> None:
        """Take a command down."""
        self._kept.pop(command.command_id, None)

    def rendered(self, command: FakeCommand, *, localised: bool = True) -> Json:
        """Return a command as Discord answers it; lists leave the other languages out unless asked."""
        body: Json = {
            "id": str(command.command_id),
            "application_id": str(self._application_id),
            "version": str(command.version),
            **command.body,
        }
        if command.guild_id is not None:
            # Where it may be used is no question for a command of one guild.
            body = {key: value for key, value in body.items() if key not in ("dm_permission", "contexts")}
            body["guild_id"] = str(command.guild_id)
        return body if localised else _in_one_language(body)

    def _made(self, guild_id: int | None, body: Json, known: FakeCommand | None = None) -> FakeCommand:
        key = _key(body)
        known = known or self._named(guild_id, key)
        tidy = _tidy(body)
        if known is not None and known.body == tidy:
            return known
        return FakeCommand(
            command_id=self._next_id() if known is None else known.command_id,
            version=self._next_id(),
            guild_id=guild_id,
            kind=key[0],
            name=key[1],
            body=tidy,
        )

    def _named(self, guild_id: int | None, key: tuple[CommandKind, str]) -> FakeCommand | None:
        found = (command for command in self.all_of(guild_id) if (command.kind, command.name) == key)
        return next(found, None)


def known_as(thing: Json, name: str, locale: str) -> bool:
    """Return whether a command or an option is called `name`, or is so in the language `locale`."""
    localised = thing.get("name_localizations")
    return name == thing["name"] or (isinstance(localised, dict) and localised.get(locale) == name)


def _check(body: Json) -> None:
    mistakes = mistakes_in(body)
    if mistakes:
        raise CommandRefusedError(mistakes)


def _key(body: Json) -> tuple[CommandKind, str]:
    kind = body.get("type")
    return (
        CommandKind(kind) if isinstance(kind, int) and kind in set(CommandKind) else CommandKind.CHAT,
        str(body.get("name")),
    )


def _tidy(body: Json) -> Json:
    needed = body.get("default_member_permissions")
    tidy: Json = {
        "name_localizations": None,
        "description": "",
        "description_localizations": None,
        "contexts": None,
        "integration_types": [0],
        "nsfw": False,
        **{key: body[key] for key in _CHANGEABLE if body.get(key) is not None},
        "type": int(_key(body)[0]),
        "dm_permission": body.get("dm_permission") is not False,
        "default_member_permissions": None if needed is None else str(needed),
    }
    options = tidy.pop("options", None)
    if isinstance(options, list) and options:
        tidy["options"] = [_tidy_option(option) for option in options]
    return tidy


def _tidy_option(option: Json) -> Json:
    kept = {key: value for key, value in option.items() if value is not None and value is not False}
    for inner in ("options", "choices"):
        things = kept.pop(inner, None)
        if isinstance(things, list) and things:
            kept[inner] = [_tidy_option(thing) for thing in things] if inner == "options" else things
    if option["type"] in (OptionKind.SUBCOMMAND, OptionKind.GROUP):
        kept.setdefault("options", [])
    return kept


def _in_one_language(body: Json) -> Json:
    kept = {
        key: value
        for key, value in body.items()
        if key not in ("name_localizations", "description_localizations")
    }
    for inner in ("options", "choices"):
        things: Iterable[Json] | object = kept.get(inner)
        if isinstance(things, list):
            kept[inner] = [_in_one_language(thing) for thing in things]
    return kept
