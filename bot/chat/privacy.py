"""What members are told about privacy: what this installation keeps, how long, who sees it, and how to change that."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from bot.chat.incoming import Route
from bot.chat.turn import Turn
from bot.core.domain import ConsentDefault, Guild, Language
from bot.core.settings import Settings
from bot.llm.chain import ModelName, parse_chain
from bot.llm.providers import access_of, usage_limits_of
from bot.memory.outbox.answers import WrittenAnswer
from bot.text.sentences import Key, say


@dataclass(frozen=True, slots=True, kw_only=True)
class DataPractice:
    """How long things are kept, what is made of them, who else sees them, and who answers for it.

    Days of 0 are for ever, where it is not said otherwise.
    """

    retention_days: int
    """Of messages, where a guild chose nothing."""
    fact_days: int
    profile_days: int
    episode_days: int
    learns: bool
    """Whether profiles are learned."""
    leaves_episodes: bool
    models: tuple[str, ...]
    """The models that get parts of what is said, as settings name them."""
    perhaps_unpaid: tuple[str, ...]
    """Those of Google's own address for which no price is set: what they get may be Google's to learn from."""
    grace_days: int
    """After which all is erased that is kept of whoever left; 0: at once."""
    contact: str
    """How to reach whoever runs the bot; may be empty."""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return what `settings` say. Raises `ValueError` for models that cannot be named so."""
        models = _models_of(settings)
        prices = usage_limits_of(settings).prices
        return cls(
            retention_days=settings.retention_days,
            fact_days=settings.fact_retention_days,
            profile_days=settings.profile_retention_days,
            episode_days=settings.episode_retention_days,
            learns=settings.learning and bool(models),
            leaves_episodes=settings.episodes and bool(models),
            models=tuple(map(str, models)),
            perhaps_unpaid=tuple(
                str(model)
                for model in models
                if model.provider == "google"
                and settings.gemini_base_url is None
                and (model not in prices or not (prices[model].input or prices[model].output))
            ),
            grace_days=settings.left_member_grace_days,
            contact=settings.operator_contact,
        )


def _models_of(settings: Settings) -> list[ModelName]:
    """Return every model that is named for anything and can be reached."""
    access = access_of(settings)
    chains = (
        settings.model_chat,
        settings.model_summary,
        settings.model_memory,
        settings.model_learning or "",
    )
    named = dict.fromkeys(model for chain in chains for model in parse_chain(chain))
    return [model for model in named if model.provider in access]


MOST_WELCOME_CHARACTERS: Final = 600
"""Of what a whole server is told at once: more is not read."""

_MOST_NAME_CHARACTERS: Final = 32
"""Of what Discord lets anybody be called."""

_MOST_MODELS_CHARACTERS: Final = 150


def privacy_notice(guild: Guild, practice: DataPractice, *, bot_name: str, language: Language) -> str:
    """Return what is kept in `guild`, how long, who sees it, and what members can do about it, as several lines."""

    def line(text: Key, **values: str) -> str:
        return say(text, language, bot=bot_name, **values)

    kept = "privacy.messages_direct" if guild.direct else "privacy.messages"
    lines = [line("privacy.title")]
    if not guild.hearing:
        lines.append(line("privacy.not_hearing"))
    elif guild.consent is ConsentDefault.ASKED:
        lines.append(line("privacy.consent"))
    if guild.hearing:
        lines.append(line(kept, span=_span(_retention(guild, practice), language)))
        lines.append(line("privacy.summaries"))
    lines.append(line("privacy.facts", span=_span(practice.fact_days, language)))
    if practice.learns:
        lines.append(line("privacy.profile", span=_span(practice.profile_days, language)))
    else:
        lines.append(line("privacy.no_profile"))
    if practice.leaves_episodes:
        lines.append(line("privacy.episodes", span=_span(practice.episode_days, language)))
    if not guild.direct and practice.grace_days:
        lines.append(line("privacy.leaving", span=_span(practice.grace_days, language)))
    elif not guild.direct:
        lines.append(line("privacy.leaving_at_once"))
    lines.append(line("privacy.silence"))
    lines.append(_seen_by(practice, language))
    lines += [line(text) for text in ("privacy.look", "privacy.forget", "privacy.opt_out")]
    lines.append(
        line("privacy.contact", contact=practice.contact) if practice.contact else line("privacy.no_contact")
    )
    return "\n".join(lines)


def welcome_text(guild: Guild, practice: DataPractice, *, bot_name: str, language: Language) -> str:
    """Return the notice for a whole guild when the bot joins it, at most 600 characters."""
    name = bot_name[:_MOST_NAME_CHARACTERS]
    kept = say(
        "privacy.welcome_consent" if guild.consent is ConsentDefault.ASKED else "privacy.welcome_kept",
        language,
        messages=_span(_retention(guild, practice), language),
        facts=_span(practice.fact_days, language),
    )
    told = say("privacy.welcome", language, bot=name, kept=kept)
    if practice.models:
        told += f" {say('privacy.welcome_models', language)}"
    return f"{told}\n{say('privacy.welcome_rights', language, bot=name)}"


async def answer_privacy(turn: Turn, practice: DataPractice) -> WrittenAnswer:
    """Answer what is kept, to anybody who asks: visitors are heard too."""
    message = turn.message
    guild = turn.guild or Guild(guild_id=message.guild_id, name="", direct=turn.direct)
    text = privacy_notice(guild, practice, bot_name=turn.bot_name, language=turn.language)
    return WrittenAnswer(route=Route.PRIVACY, parts=(text,))


def _seen_by(practice: DataPractice, language: Language) -> str:
    if not practice.models:
        return say("privacy.no_models", language)
    told = say("privacy.models", language, models=_listed(practice.models))
    if practice.perhaps_unpaid == practice.models:
        told += f" {say('privacy.unpaid_all', language)}"
    elif practice.perhaps_unpaid:
        told += f" {say('privacy.unpaid', language, models=_listed(practice.perhaps_unpaid))}"
    return told


def _listed(models: Sequence[str]) -> str:
    """Return models as one line; of very many the first, and three dots."""
    names = [model.partition(":")[2] if model.startswith("google:") else model for model in models]
    text = ", ".join(names)
    return text if len(text) <= _MOST_MODELS_CHARACTERS else f"{text[: _MOST_MODELS_CHARACTERS - 1]}…"


def _retention(guild: Guild, practice: DataPractice) -> int:
    return guild.kept_days(practice.retention_days)


def _span(days: int, language: Language) -> str:
    """Return for how long something is kept: so many days, or until it is forgotten."""
    if not days:
        return say("privacy.for_ever", language)
    return say("count.days", language, count=days)


async def answer_keep_nothing_here(turn: Turn) -> WrittenAnswer:
    """Say who can have nothing kept of a channel, and how; in a direct message, what its author can do."""
    is_direct = bool(turn.view.own_guild_ids) or (turn.guild is not None and turn.guild.direct)
    key: Key = "privacy.keep_nothing_in_private" if is_direct else "privacy.keep_nothing_here"
    return WrittenAnswer(route=Route.PRIVACY, parts=(turn.say(key),))
