"""The table of slash commands: `/memory ...` on Discord and in the terminal.

An entry says how a command is called, which options it takes, and what carries it out. Discord and the terminal read
their commands from here, ask for the options in their own ways, and show the result.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from bot.chat.figures import Figures
from bot.chat.own_rights import MOST_DAYS, OwnRightsAnswer
from bot.chat.personas import PERSONAS
from bot.chat.usecases import guild_settings
from bot.chat.usecases.context import (
    ChoiceListing,
    FormReply,
    MemoryListing,
    RequestContext,
    SettingListing,
)
from bot.chat.usecases.options import SWITCH, Given, Option, OptionKind
from bot.chat.usecases.own_rights import ForgottenDetails
from bot.chat.usecases.usecases import UseCases
from bot.core.domain import GUILD_SUBJECT, MAX_ID, AnswerMode
from bot.memory.guilds.settings import MAX_PERSONA_CHARACTERS
from bot.memory.rights.consent import CATEGORIES
from bot.text.commands import AskPrivacy, ChooseCategory, Command
from bot.text.sentences import Key

Shown: TypeAlias = (
    FormReply | MemoryListing | ChoiceListing | ForgottenDetails | SettingListing | OwnRightsAnswer | Figures
)
"""What comes of a command, for a face to show."""


class CommandGroup(StrEnum):
    """The group of a command; Discord offers a group as a whole to those whom it is for."""

    EVERYBODY = "memory"
    MANAGERS = "memory-admin"
    """Offered to those alone who may manage the server, and whomever its administrators grant it."""
    ALONE = ""
    """It stands by itself."""


@dataclass(frozen=True, slots=True)
class FormCommand:
    """One command. Its names on Discord and its description are sentences with its name as key."""

    handle: Callable[[UseCases, RequestContext, Given], Awaitable[Shown]]
    usage: str
    """How it is written in the terminal."""
    pattern: str = ""
    """The regular expression of what is written after its name there, with a group for each option."""
    options: Mapping[str, Option] = field(default_factory=dict)
    """What it takes, by name."""
    typed_only: bool = False
    """Discord has no such command, but a button or a menu."""
    of_channel: bool = False
    """It changes nothing but the channel, so that rights in that are enough."""
    lists: OptionKind = OptionKind.FACT
    """What the lines are that it shows, for a number to choose one."""
    group: CommandGroup = CommandGroup.EVERYBODY
    """Below which word it stands."""


MOST_SEARCHED: Final = 80
"""Characters of what is searched for: buttons carry it in their ids, which Discord lets have 100."""


def _in_words(command: Command) -> Callable[[UseCases, RequestContext, Given], Awaitable[Shown]]:
    """Return what answers as the same command in words does, which takes nothing and only answers."""
    return lambda use_cases, request, _: use_cases.ask(request, command)


def _categories(use_cases: UseCases, request: RequestContext, given: Given) -> Awaitable[OwnRightsAnswer]:
    """Change what is kept of one kind, if anything is to be changed, else tell how all stand."""
    category, keep, days = given.text("category"), given.switch("keep"), given.number("days")
    wants_change = category and (keep is not None or days is not None)
    chosen = [ChooseCategory(category, kept=keep is not False, days=days)] if wants_change else []
    return use_cases.categories(request, chosen)


def _erase(use_cases: UseCases, request: RequestContext, given: Given) -> Awaitable[OwnRightsAnswer]:
    if given.text("confirmed"):
        return use_cases.erase(request)
    return use_cases.erasable(request)


def _channel(use_cases: UseCases, request: RequestContext, given: Given) -> Awaitable[FormReply]:
    if not given.values:
        return use_cases.channel_state(request)
    answers = given.text("answers")
    return use_cases.channel(
        request,
        hearing=given.switch("hearing"),
        answering=AnswerMode(answers) if answers else None,
        persona=given.values.get("persona"),
        model=given.values.get("model"),
    )


def _stats(use_cases: UseCases, request: RequestContext, given: Given) -> Awaitable[Figures]:
    """Count what is kept about the server or the asker: without a choice about the server for its managers."""
    of_server = given.text("about") == _SERVER if given.text("about") else request.from_manager
    if of_server and not request.direct:
        return use_cases.guild_stats(request)
    return use_cases.stats(request)


async def _profile(use_cases: UseCases, request: RequestContext, given: Given) -> FormReply | ChoiceListing:
    """Remove a sentence, switch learning, or show the profile if neither is wanted."""
    told = []
    if remove := given.text("remove"):
        told.append((await use_cases.delete_sentence(request, remove)).text)
    if (learning := given.switch("learning")) is not None:
        told.append((await use_cases.switch_learning(request, on=learning)).text)
    return FormReply("\n".join(told)) if told else await use_cases.profile(request)


async def _help(_: UseCases, request: RequestContext, __: Given) -> FormReply:
    lines = (
        f"- {written(name)}: {request.say(f'command_what.{name}')}"
        for name, one in COMMANDS.items()
        if not one.typed_only and (one.group is not CommandGroup.MANAGERS or request.from_manager)
    )
    return FormReply(request.say("form.help", commands="\n".join(lines)))


def written(name: str) -> str:
    """Return how a command is written, by its English name."""
    return f"/{COMMANDS[name].group} {name}".replace("/ ", "/")


async def _waiting(use_cases: UseCases, request: RequestContext, given: Given) -> FormReply | ChoiceListing:
    """Decide on the notes that wait about a member, or list the members about whom notes wait."""
    user_id = given.number("member")
    if user_id is None:
        return await use_cases.waiting(request)
    return await use_cases.settle(request, user_id, erase=given.text("act") == "erase")


async def _forget(use_cases: UseCases, request: RequestContext, given: Given) -> FormReply:
    """Forget a fact that was chosen; whatever else stands in the field names none."""
    fact = given.text("fact")
    if not (fact.isascii() and fact.isdigit() and int(fact[:20]) <= MAX_ID):
        return FormReply(request.say("command.not_chosen"))
    return await use_cases.forget(request, int(fact))


_ANSWERS: Final[Mapping[str, Key]] = {
    AnswerMode.ALWAYS: "choice.always",
    AnswerMode.ADDRESSED: "choice.when_addressed",
    AnswerMode.NEVER: "choice.never",
}
_SERVER: Final = "server"
_CATEGORIES: Final[Mapping[str, Key]] = {category: f"category.{category}" for category in CATEGORIES}

_NUMBER: Final = "[0-9]{1,9}"
_NUMBERED: Final = "N', N being a line of what was shown last, as in '/memory {name} 1"

COMMANDS: Final[Mapping[str, FormCommand]] = {
    "show": FormCommand(
        lambda use_cases, request, given: use_cases.show(request, given.number("member") or GUILD_SUBJECT),
        "show [@member]",
        "(?P<member>.*)",
        {"member": Option(OptionKind.MEMBER, "command.member", "command.show_member")},
    ),
    "stats": FormCommand(
        _stats,
        "stats [me|server]",
        f"(?P<about>me|{_SERVER})?",
        {
            "about": Option(
                OptionKind.CHOICE,
                "command.about",
                "command.about_what",
                choices={"me": "choice.me", _SERVER: "choice.server"},
            )
        },
    ),
    "remember": FormCommand(
        lambda use_cases, request, given: use_cases.remember(
            request, given.number("member"), given.text("text")
        ),
        "remember [@member] TEXT",
        "(?P<text>.*)",
        {
            "text": Option(OptionKind.NAMING, "command.text", "command.remember_text", required=True),
            "member": Option(OptionKind.MEMBER, "command.member", "command.remember_member"),
        },
    ),
    "forget": FormCommand(
        _forget,
        f"forget {_NUMBERED.format(name='forget')}",
        f"(?P<fact>{_NUMBER})",
        {
            "fact": Option(OptionKind.FACT, "command.fact", "command.forget_fact", required=True),
            # It only narrows down the list from which the fact is chosen.
            "member": Option(OptionKind.MEMBER, "command.member", "command.forget_member"),
        },
    ),
    "forgotten": FormCommand(
        lambda use_cases, request, _: use_cases.forgotten(request),
        "forgotten [delete]",
        "(?P<delete>delete)?",
        {"delete": Option(OptionKind.CHOICE)},
        typed_only=True,
    ),
    "catchup": FormCommand(
        lambda use_cases, request, given: use_cases.catch_up(
            request, given.number("channel"), given.text("since")
        ),
        "catchup [#channel] [SINCE]",
        r"(?:#(?P<channel>\S*)\s*)?(?P<since>.*)",
        {
            "channel": Option(OptionKind.CHANNEL, "command.in_channel", "command.in_channel_what"),
            "since": Option(OptionKind.TEXT, "command.since", "command.since_what", most=60),
        },
    ),
    "not-me": FormCommand(
        lambda use_cases, request, given: use_cases.disown(request, given.number("fact") or 0),
        f"not-me {_NUMBERED.format(name='not-me')}",
        f"(?P<fact>{_NUMBER})",
        {"fact": Option(OptionKind.FACT)},
        typed_only=True,
    ),
    "search": FormCommand(
        lambda use_cases, request, given: use_cases.search(request, given.text("words")),
        "search WORDS",
        "(?P<words>.+)",
        {
            "words": Option(
                OptionKind.NAMING, "command.words", "command.words_what", required=True, most=MOST_SEARCHED
            )
        },
    ),
    "why": FormCommand(
        lambda use_cases, request, given: use_cases.why(request, given.number("message") or 0),
        "why [N]', N being the number of a message that was answered, as in '/memory why 2",
        f"(?P<message>{_NUMBER})?",
        {"message": Option(OptionKind.MESSAGE)},
        typed_only=True,
    ),
    "profile": FormCommand(
        _profile,
        "profile [remove N] [learning on|off]",
        f"(?:remove (?P<remove>{_NUMBER})|learning (?P<learning>on|off))?",
        {
            "remove": Option(OptionKind.SENTENCE, "command.remove", "command.remove_what"),
            "learning": Option(OptionKind.CHOICE, "command.learn", "command.learn_what", choices=SWITCH),
        },
        lists=OptionKind.SENTENCE,
    ),
    "settings": FormCommand(
        lambda use_cases, request, _: use_cases.listed_settings(request),
        "settings",
        options=guild_settings.options(),
        group=CommandGroup.MANAGERS,
    ),
    "set": FormCommand(
        lambda use_cases, request, given: use_cases.change(request, given.text("name"), given.text("value")),
        "set NAME VALUE",
        r"(?P<name>\S+)(?:\s+(?P<value>.*))?",
        {"name": Option(OptionKind.CHOICE), "value": Option(OptionKind.VALUE)},
        typed_only=True,
    ),
    "persona": FormCommand(
        lambda use_cases, request, given: use_cases.persona(request, given.text("name")),
        "persona [NAME]",
        "(?P<name>.*)",
        {
            "name": Option(
                OptionKind.CHOICE,
                "command.persona_name",
                "command.persona_name_what",
                choices={name: f"persona_name.{name}" for name in PERSONAS},
            )
        },
        group=CommandGroup.MANAGERS,
    ),
    "channel": FormCommand(
        _channel,
        "channel [hearing on|off] [answers always|addressed|never] [persona NAME|TEXT|off] [model NAME|off],"
        " or episodes, or remove N",
        r"(?:hearing (?P<hearing>on|off)(?:\s+|$))?(?:answers (?P<answers>always|addressed|never)(?:\s+|$))?"
        r"(?:persona (?P<persona>.+?)(?:\s+(?=model \S+$)|$))?(?:model (?P<model>\S+))?",
        {
            "hearing": Option(OptionKind.CHOICE, "command.hearing", "command.hearing_what", choices=SWITCH),
            "answers": Option(OptionKind.CHOICE, "command.answers", "command.answers_what", choices=_ANSWERS),
            "persona": Option(
                OptionKind.TEXT,
                "command.channel_persona",
                "command.channel_persona_what",
                most=MAX_PERSONA_CHARACTERS,
            ),
            "model": Option(
                OptionKind.MODEL, "command.channel_model", "command.channel_model_what", most=100
            ),
        },
        of_channel=True,
        group=CommandGroup.MANAGERS,
    ),
    "channel episodes": FormCommand(
        lambda use_cases, request, _: use_cases.episodes(request),
        "channel episodes",
        lists=OptionKind.EPISODE,
        typed_only=True,
    ),
    "channel remove": FormCommand(
        lambda use_cases, request, given: use_cases.remove_episode(request, given.number("episode") or 0),
        "channel remove N",
        f"(?P<episode>{_NUMBER})",
        {"episode": Option(OptionKind.EPISODE)},
        typed_only=True,
    ),
    "quiet": FormCommand(
        lambda use_cases, request, given: use_cases.quiet(request, given.text("duration")),
        "quiet 1h",
        "(?P<duration>.+)",
        {"duration": Option(OptionKind.DURATION, "command.duration", "command.duration_what", required=True)},
        of_channel=True,
        group=CommandGroup.MANAGERS,
    ),
    "off": FormCommand(
        lambda use_cases, request, _: use_cases.off(request),
        "off",
    ),
    "on": FormCommand(
        lambda use_cases, request, _: use_cases.on(request),
        "on",
    ),
    "private": FormCommand(
        lambda use_cases, request, given: use_cases.be_private(
            request,
            private=given.switch("state") is not False,
        ),
        "private [on|off]",
        "(?P<state>on|off)?",
        {"state": Option(OptionKind.CHOICE, "own_command.state", "own_command.state_what", choices=SWITCH)},
    ),
    "categories": FormCommand(
        _categories,
        "categories [KIND on|off|DAYS]', as in '/memory categories event 30",
        rf"(?:(?P<category>[a-z]+)\s+(?:(?P<keep>on|off)|(?P<days>{_NUMBER})(?:\s+days?)?))?",
        {
            "category": Option(
                OptionKind.CHOICE, "own_command.category", "own_command.category_what", choices=_CATEGORIES
            ),
            "keep": Option(OptionKind.CHOICE, "own_command.keep", "own_command.keep_what", choices=SWITCH),
            "days": Option(OptionKind.NUMBER, "own_command.days", "own_command.days_what", most=MOST_DAYS),
        },
    ),
    "export": FormCommand(
        lambda use_cases, request, _: use_cases.export(request),
        "export [FILE]",
        "(?P<file>.*)",
        {"file": Option(OptionKind.FILE)},
    ),
    "erase": FormCommand(
        _erase,
        "erase' to be told what would go, and '/memory erase yes",
        "(?P<confirmed>yes)?",
        {"confirmed": Option(OptionKind.CHOICE)},
    ),
    "waiting": FormCommand(
        _waiting,
        "waiting [erase|keep N]",
        f"(?:(?P<act>erase|keep) (?P<member>{_NUMBER}))?",
        {"act": Option(OptionKind.CHOICE), "member": Option(OptionKind.WAITING)},
        lists=OptionKind.WAITING,
        group=CommandGroup.MANAGERS,
    ),
    "help": FormCommand(_help, "help"),
    "privacy": FormCommand(_in_words(AskPrivacy()), "privacy", group=CommandGroup.ALONE),
}
"""All of them, by name."""
