"""The settings that say who may do what, and whether anything is kept at all."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.choices import Consent, ForgettingOthers, RememberingOthers, TellingOthers
from bot.conversation.desk.settings import reading
from bot.conversation.desk.settings.kind import NEW, Kind

LOG_CHANNEL: Final = "log_channel"
HEARING: Final = "hearing"

PERMISSIONS: Final[Mapping[str, Kind]] = {
    "remember_others": Kind(
        label=("Who may have things remembered about others", "Кто может записывать что-то о других"),
        allowed=(
            "everyone, moderators or nobody",
            "everyone (все), moderators (модераторы) или nobody (никто)",
        ),
        written=lambda guild: guild.remembering_others.value,
        read=reading.one_of(RememberingOthers, lambda guild, who: replace(guild, remembering_others=who)),
        default=lambda guild, _: replace(guild, remembering_others=NEW.remembering_others),
        choices=tuple(RememberingOthers),
    ),
    "forget_others": Kind(
        label=(
            "Who may have things told about others forgotten, beside themselves and moderators",
            "Кто, кроме них самих и модераторов, может удалять сказанное о других",
        ),
        allowed=(
            "tellers (whoever told it) or moderators (nobody else)",
            "tellers (кто это рассказал) или moderators (никто больше)",
        ),
        written=lambda guild: guild.forgetting_others.value,
        read=reading.one_of(ForgettingOthers, lambda guild, who: replace(guild, forgetting_others=who)),
        default=lambda guild, _: replace(guild, forgetting_others=NEW.forgetting_others),
        choices=tuple(ForgettingOthers),
    ),
    "tell_others": Kind(
        label=("What members are told about others", "Что участникам рассказывают о других"),
        allowed=(
            "said (what was said openly), open (all that is open) or moderators (only they are told what was said)",
            "said (сказанное открыто), open (всё открытое) или moderators (сказанное — только модераторам)",
        ),
        written=lambda guild: guild.telling_others.value,
        read=reading.one_of(TellingOthers, lambda guild, what: replace(guild, telling_others=what)),
        default=lambda guild, _: replace(guild, telling_others=NEW.telling_others),
        choices=tuple(TellingOthers),
    ),
    "consent": Kind(
        label=("Whose words are kept", "Чьи слова сохраняются"),
        allowed=(
            "presumed (everybody’s who did not opt out) or asked (theirs alone who opted in)",
            "presumed (всех, кто не отказался) или asked (только тех, кто согласился)",
        ),
        written=lambda guild: guild.consent.value,
        read=reading.one_of(Consent, lambda guild, consent: replace(guild, consent=consent)),
        default=lambda guild, _: replace(guild, consent=NEW.consent),
        choices=tuple(Consent),
    ),
    HEARING: Kind(
        label=("Keep what is said on this server", "Сохранять сказанное на сервере"),
        allowed=("on or off", "on (да) или off (нет)"),
        written=lambda guild: "on" if guild.hearing else "off",
        read=reading.switch(lambda guild, on: replace(guild, hearing=on)),
        default=lambda guild, _: replace(guild, hearing=NEW.hearing),
        choices=("on", "off"),
    ),
    LOG_CHANNEL: Kind(
        label=("Log channel for removals about others", "Канал для отметок об удалении сказанного о других"),
        allowed=(
            "a channel of this server; empty for none",
            "канал этого сервера; пусто — без отметок",
        ),
        written=lambda guild: "" if guild.log_channel_id is None else str(guild.log_channel_id),
        read=reading.log_channel,
        default=lambda guild, _: replace(guild, log_channel_id=None),
    ),
}
