"""What members are told of their privacy.

What this installation keeps, for how long, who sees it, and how to change that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from bot.chat.incoming import Route
from bot.chat.texts import Catalogue, say
from bot.chat.turn import Turn
from bot.core.domain import ConsentDefault, Guild, Language
from bot.core.settings import Settings
from bot.llm.building import access_of, usage_limits_of
from bot.llm.chain import ModelName, parse_chain
from bot.memory.outbox.answers import WrittenAnswer


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


class PrivacyText(Catalogue):
    """The sentences: English first, then Russian."""

    TITLE = ("What I keep here, and your say in it", "Что здесь хранится и чем вы можете распоряжаться")
    MESSAGES = (
        "- Messages in the channels that I can read, and short descriptions of what is attached: {span}. Passwords, "
        "keys and card numbers are masked first.",
        "- Сообщения в каналах, которые мне видны, и краткие описания вложений: {span}. Пароли, ключи и номера карт "
        "сначала скрываются.",
    )
    MESSAGES_DIRECT = (
        "- The messages that you write to me here, and short descriptions of what is attached: {span}. Passwords, "
        "keys and card numbers are masked first.",
        "- Сообщения, которые вы мне здесь пишете, и краткие описания вложений: {span}. Пароли, ключи и номера карт "
        "сначала скрываются.",
    )
    NOT_HEARING = (
        "- Nothing that is said on this server is kept now: it is switched off. What was kept before stays until it "
        "is forgotten or its time is over.",
        "- Сказанное на этом сервере сейчас не сохраняется: это отключено. Прежнее остаётся, пока его не попросят "
        "забыть или не выйдет срок.",
    )
    CONSENT = (
        "- This server asks first: nothing is kept of you until you say so with /memory on.",
        "- На этом сервере сначала спрашивают: о вас ничего не хранится, пока вы не согласитесь командой /memory on.",
    )
    SUMMARIES = (
        "- Summaries of days and conversations made from them; they go with the messages.",
        "- Сводки дней и разговоров, сделанные из них; они удаляются вместе с сообщениями.",
    )
    FACTS = (
        "- Facts that somebody asks me to remember, or that you plainly state about yourself: {span}.",
        "- Факты, которые просят запомнить или которые вы прямо говорите о себе: {span}.",
    )
    PROFILE = (
        "- What I learn of you from our talks in open channels: {span}. /memory profile shows it and switches it off.",
        "- Выводы о вас из наших разговоров в открытых каналах: {span}. /memory profile покажет их и отключит.",
    )
    NO_PROFILE = (
        "- I draw no conclusions about anybody from talks: that is switched off.",
        "- Выводов о людях из разговоров не делается: это отключено.",
    )
    EPISODES = (
        "- What talks with me left behind, in a few sentences each: {span}.",
        "- Что осталось от разговоров со мной, в нескольких предложениях: {span}.",
    )
    SILENCE = (
        "- I sum up nothing about health, religion, politics, orientation or money, unless you asked me to remember "
        "it. What is said in a closed channel stays there.",
        "- О здоровье, религии, политике, ориентации и деньгах ничего не обобщается, если только вы сами не просили "
        "это запомнить. Сказанное в закрытом канале там и остаётся.",
    )
    LEAVING = (
        "- Of those who leave this server all of it is erased after {span}.",
        "- Обо всех, кто покинет сервер, всё удаляется через {span}.",
    )
    LEAVING_AT_ONCE = (
        "- Of those who leave this server all of it is erased at once.",
        "- Обо всех, кто покинет сервер, всё сразу удаляется.",
    )
    MODELS = (
        "- To answer and to sum up, I send parts of it to language models: {models}.",
        "- Чтобы отвечать и обобщать, части этого отправляются языковым моделям: {models}.",
    )
    UNPAID_ALL = (
        "No price is set for them, so this may be Google's unpaid quota: there Google may learn from what is sent, and "
        "people may read it.",
        "Цены для них не указаны, так что это может быть бесплатная квота Google: там на отправленном могут учиться "
        "модели, и его могут читать люди.",
    )
    UNPAID = (
        "No price is set for {models}, so it may be Google's unpaid quota: there Google may learn from what is sent, "
        "and people may read it.",
        "Для {models} не указана цена, так что это может быть бесплатная квота Google: там на отправленном могут "
        "учиться модели, и его могут читать люди.",
    )
    NO_MODELS = (
        "- No language model is used: nobody else gets anything of it.",
        "- Языковые модели не используются: больше никто ничего не получает.",
    )
    LOOK = (
        "- Look: “{bot}, what do you know about me?” or /memory show; all of it as a file: /memory export.",
        "- Посмотреть: «{bot}, что ты знаешь обо мне?» или /memory show; всё одним файлом: /memory export.",
    )
    FORGET = (
        "- Forget: “{bot}, forget that …” or /memory forget; everything of you: /memory erase.",
        "- Забыть: «{bot}, забудь, что …» или /memory forget; всё о вас: /memory erase.",
    )
    OPT_OUT = (
        "- Keep nothing of you: /memory off (and /memory on again); tell others nothing of you: /memory private; "
        "choose what is kept and for how long: /memory categories.",
        "- Ничего о вас не хранить: /memory off (снова: /memory on); ничего не рассказывать о вас другим: "
        "/memory private; выбрать, что и как долго хранить: /memory categories.",
    )
    CONTACT = ("- Who runs me: {contact}", "- Кто за меня отвечает: {contact}")
    NO_CONTACT = (
        "- Who runs me has left no address: ask the managers of the server that invited me.",
        "- Тот, кто меня запускает, не оставил адреса: спросите управляющих сервером, на который меня позвали.",
    )
    FOR_EVER = ("until it is forgotten", "пока не попросят забыть")

    WELCOME = (
        "Hello, I am {bot}, a bot with a memory. {kept} What is said in a closed channel stays there.",
        "Здравствуйте, я {bot}, бот с памятью. {kept} Сказанное в закрытом канале там и остаётся.",
    )
    WELCOME_KEPT = (
        "I keep messages ({messages}) and what is told about people and this server ({facts}).",
        "Хранятся сообщения ({messages}) и рассказанное о людях и сервере ({facts}).",
    )
    WELCOME_CONSENT = (
        "Of those who agree with /memory on, and of nobody else, I keep messages ({messages}) and what is told about "
        "them ({facts}).",
        "Только о тех, кто согласится командой /memory on, хранятся сообщения ({messages}) и рассказанное о них "
        "({facts}).",
    )
    WELCOME_MODELS = (
        "Parts of it go to language models when I answer.",
        "Для ответов части этого отправляются языковым моделям.",
    )
    WELCOME_RIGHTS = (
        "Look: “{bot}, what do you know about me?” or /memory show. Forget: “{bot}, forget that …” or /memory forget. "
        "Keep nothing of you: /memory off. All else: /privacy.\nManagers can set me up here:",
        "Посмотреть: «{bot}, что ты знаешь обо мне?» или /memory show. Забыть: «{bot}, забудь, что …» или /memory "
        "forget. Ничего о вас не хранить: /memory off. Остальное: /privacy.\nУправляющие могут настроить меня здесь:",
    )


def privacy_notice(guild: Guild, practice: DataPractice, *, bot_name: str, language: Language) -> str:
    """Return what is kept in `guild`, how long, who sees it, and what members can do about it, as several lines."""

    def line(text: PrivacyText, **values: str) -> str:
        return say(text, language, bot=bot_name, **values)

    kept = PrivacyText.MESSAGES_DIRECT if guild.direct else PrivacyText.MESSAGES
    lines = [line(PrivacyText.TITLE)]
    if not guild.hearing:
        lines.append(line(PrivacyText.NOT_HEARING))
    elif guild.consent is ConsentDefault.ASKED:
        lines.append(line(PrivacyText.CONSENT))
    if guild.hearing:
        lines.append(line(kept, span=_span(_retention(guild, practice), language)))
        lines.append(line(PrivacyText.SUMMARIES))
    lines.append(line(PrivacyText.FACTS, span=_span(practice.fact_days, language)))
    if practice.learns:
        lines.append(line(PrivacyText.PROFILE, span=_span(practice.profile_days, language)))
    else:
        lines.append(line(PrivacyText.NO_PROFILE))
    if practice.leaves_episodes:
        lines.append(line(PrivacyText.EPISODES, span=_span(practice.episode_days, language)))
    if not guild.direct and practice.grace_days:
        lines.append(line(PrivacyText.LEAVING, span=_span(practice.grace_days, language)))
    elif not guild.direct:
        lines.append(line(PrivacyText.LEAVING_AT_ONCE))
    lines.append(line(PrivacyText.SILENCE))
    lines.append(_seen_by(practice, language))
    lines += [line(text) for text in (PrivacyText.LOOK, PrivacyText.FORGET, PrivacyText.OPT_OUT)]
    lines.append(
        line(PrivacyText.CONTACT, contact=practice.contact)
        if practice.contact
        else line(PrivacyText.NO_CONTACT)
    )
    return "\n".join(lines)


def welcome_text(guild: Guild, practice: DataPractice, *, bot_name: str, language: Language) -> str:
    """Return what a whole guild is told when the bot comes to it, 600 characters at most."""
    name = bot_name[:_MOST_NAME_CHARACTERS]
    kept = say(
        PrivacyText.WELCOME_CONSENT if guild.consent is ConsentDefault.ASKED else PrivacyText.WELCOME_KEPT,
        language,
        messages=_span(_retention(guild, practice), language),
        facts=_span(practice.fact_days, language),
    )
    told = say(PrivacyText.WELCOME, language, bot=name, kept=kept)
    if practice.models:
        told += f" {say(PrivacyText.WELCOME_MODELS, language)}"
    return f"{told}\n{say(PrivacyText.WELCOME_RIGHTS, language, bot=name)}"


def answer_privacy(turn: Turn, practice: DataPractice) -> WrittenAnswer:
    """Answer what is kept, for whoever asks: visitors are heard too."""
    message = turn.message
    guild = turn.guild or Guild(guild_id=message.guild_id, name="", direct=turn.direct)
    text = privacy_notice(guild, practice, bot_name=turn.bot_name, language=turn.language)
    return WrittenAnswer(route=Route.PRIVACY, parts=(text,))


def _seen_by(practice: DataPractice, language: Language) -> str:
    if not practice.models:
        return say(PrivacyText.NO_MODELS, language)
    told = say(PrivacyText.MODELS, language, models=_listed(practice.models))
    if practice.perhaps_unpaid == practice.models:
        told += f" {say(PrivacyText.UNPAID_ALL, language)}"
    elif practice.perhaps_unpaid:
        told += f" {say(PrivacyText.UNPAID, language, models=_listed(practice.perhaps_unpaid))}"
    return told


def _listed(models: Sequence[str]) -> str:
    """Return models as one line; of very many the first, and three dots."""
    names = [model.partition(":")[2] if model.startswith("google:") else model for model in models]
    text = ", ".join(names)
    return text if len(text) <= _MOST_MODELS_CHARACTERS else f"{text[: _MOST_MODELS_CHARACTERS - 1]}…"


def _retention(guild: Guild, practice: DataPractice) -> int:
    return practice.retention_days if guild.retention_days is None else guild.retention_days


def _span(days: int, language: Language) -> str:
    """Return for how long something is kept: so many days, or until it is forgotten."""
    if not days:
        return say(PrivacyText.FOR_EVER, language)
    if language is Language.ENGLISH:
        return f"{days} {'day' if days == 1 else 'days'}"
    few = days % 10 in (2, 3, 4) and days % 100 not in (12, 13, 14)
    one = days % 10 == 1 and days % 100 != 11
    return f"{days} {'день' if one else 'дня' if few else 'дней'}"
