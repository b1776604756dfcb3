"""What a member is told about another one: what was said openly and what they did, and not what it makes of them.

Nobody is given a dossier. Profile, feelings, love, what is sensitive and the hours at which somebody is there are
for themselves alone, in words, forms and in the prompts of replies, unless the guild's managers decide otherwise.
"""

import re
from collections.abc import Collection
from enum import IntEnum
from typing import Final, assert_never

from bot.choices import TellingOthers
from bot.domain import GUILD_SUBJECT, Fact, FactCategory, FactOrigin, Guild
from bot.memory.extraction.english_words import PARTS as ENGLISH
from bot.memory.extraction.private import is_private
from bot.memory.extraction.russian_words import PARTS as RUSSIAN
from bot.memory.harmless import is_harmless
from bot.memory.private_matters import is_private_matter
from bot.memory.sensitive import says_sensitive
from bot.memory.unsaying import sentences_of

_FELT: Final = (
    ENGLISH["moods"],
    r"(?:feel|feels|felt|feeling|feelings|mood|moods|moody|cr(?:y|ies|ied|ying)|sadness|anger|fears?|anxiety|lonel\w+)",
    r"(?:joy|joyful\w*|delight\w*|enthusias\w+|frustrat\w+|despair\w*|insecur\w+|grie(?:f|v\w+)|jealous\w*|homesick)",
    *(re.sub(r"\s*\n\s*", "", RUSSIAN[part]) for part in ("moods", "states", "as_felt")),
    r"(?:настроени\w+|чувств\w+|переживает|переживал\w*|грусть|грусти\w*|тоск\w+|тревог\w+|тревож\w+|злит\w*|злил\w*)",
    r"(?:радовал\w+|радуется|огорч\w+|расстро\w+|обидел\w*|обижен\w*|плакал\w*|плачет|боится|боял\w+|скучает по)",
)
_LOVED: Final = (
    r"(?:crush\w*|dating|flirt\w*|romantic\w*|romance|sweetheart|in love|fell for|falling for|has a thing for|ex-)",
    r"(?:breakup|broke up|breaking up|girlfriend|boyfriend|love life|loves? <@!?\d+>|kiss\w*|affair)",
    r"(?:влюбл\w+|влюби\w+|встречается с|ухажива\w+|флирт\w*|роман с|романтич\w+|любит <@!?\d+>|целова\w+)",
    r"(?:рассталась|расстался|расстались|бывш(?:ий|ая|его|ей) (?:парень|девушка)|его девушка|её парень|ее парень)",
)
_HOURS: Final = (
    r"(?:awake|asleep|insomnia|sleep schedule|night owl|early bird|stay(?:s|ed)? up)",
    r"up (?:until|till|late|all night|at \d+)",
    r"(?:(?:active|online|writes?|wrote|posts?|posted|around|there) (?:mostly |usually |often |only )?"
    r"(?:at night|in the (?:morning|evening|afternoon)|late|from \d|at \d|between \d|after \d|before \d))",
    r"(?:бессонниц\w*|не спит|не спал\w*|полуночни\w+|сова по натуре|до утра|засиж\w+|ложится спать)",
    r"(?:(?:активн\w+|онлайн|пишет|писал\w*|сидит) (?:обычно |чаще |в основном )?"
    r"(?:ночью|ночами|по ночам|по утрам|по вечерам|утром|вечером|с \d|в \d|до \d|после \d))",
)
_PERSONAL: Final = re.compile(rf"(?<![\w<@])(?:{'|'.join((*_FELT, *_LOVED, *_HOURS))})(?!\w)")
_SOMEBODY: Final = re.compile(
    r"(?<![\w'])(?:i|i'[a-z]{1,2}|im|ive|me|my|mine|myself|he|she|him|his|her|hers|he's|she's|hes|shes"
    r"|я|меня|мне|мной|мною|мой|моя|мо[её]|мои|моего|моей|моему|моих|моим|моими|мою|мо[её]м"
    r"|он|она|его|е[её]|ему|ей|ним|ней|нему)(?![\w'])|<@!?\d+>"
)
_MENTION: Final = re.compile(r"<@!?(\d{1,19})>")


class Discretion(IntEnum):
    """How much about somebody may be told to one who asks; of two the smaller one holds."""

    NOTHING = 0
    SAID = 1
    """What was said openly and what they did."""
    ALL = 2
    """Whatever may be seen where it is asked."""


def discretion(
    guild: Guild | None, *, asker_id: int, subject_id: int, from_moderator: bool, is_private: bool
) -> Discretion:
    """Return how much about `subject_id` may be told to `asker_id`.

    Of oneself and of the guild all; of those who are private nothing; of others as the guild's managers set it.
    """
    if subject_id in {asker_id, GUILD_SUBJECT}:
        return Discretion.ALL
    if is_private:
        return Discretion.NOTHING
    telling = TellingOthers.SAID if guild is None else guild.telling_others
    match telling:
        case TellingOthers.OPEN:
            return Discretion.ALL
        case TellingOthers.SAID:
            return Discretion.SAID
        case TellingOthers.MODERATORS:
            return Discretion.SAID if from_moderator else Discretion.NOTHING
    assert_never(telling)


def may_be_told(fact: Fact, how: Discretion, *, asker_id: int) -> bool:
    """Tell whether a fact may be told to `asker_id`, who may know about its subject as `how` says.

    Whoever told it knows it, and must see it to have it forgotten. What nobody asked to have remembered is told
    where it is of a kind that is known to be harmless.
    """
    if how is not Discretion.SAID or fact.author_id == asker_id:
        return how is not Discretion.NOTHING
    return may_be_prompted(fact, how, asker_id=asker_id) and (
        fact.origin is not FactOrigin.PATTERN or is_harmless(fact)
    )


def may_be_prompted(fact: Fact, how: Discretion, *, asker_id: int) -> bool:
    """Tell whether a model that replies to `asker_id` may be given a fact, whose words it does not repeat as such."""
    if how is not Discretion.SAID or fact.author_id == asker_id:
        return how is not Discretion.NOTHING
    guessed = fact.origin is FactOrigin.LEARNING and fact.tentative
    return not guessed and fact.category is not FactCategory.FEELING and not says_personal(fact.content)


def told_openly(text: str, how: Discretion) -> str:
    """Return of a text about somebody the sentences that may be told to one who may know as `how` says."""
    match how:
        case Discretion.ALL:
            return text
        case Discretion.NOTHING:
            return ""
        case Discretion.SAID:
            return "".join(one for one in sentences_of(text) if not says_personal(one)).strip()
    assert_never(how)


def without_naming(text: str, user_ids: Collection[int]) -> str:
    """Return `text` without the sentences that name one of these members."""
    if not user_ids or not any(int(found[1]) in user_ids for found in _MENTION.finditer(text)):
        return text
    kept = (
        one
        for one in sentences_of(text)
        if not any(int(found[1]) in user_ids for found in _MENTION.finditer(one))
    )
    return "".join(kept).strip()


def says_personal(text: str) -> bool:
    """Tell whether `text` speaks of feelings, love, what is sensitive or private, or of when somebody is there."""
    return _PERSONAL.search(text.lower()) is not None or says_sensitive(text) or is_private_matter(text)


def speaks_of_somebody(text: str) -> bool:
    """Tell whether `text` speaks of whoever says it, or of another single person."""
    return _SOMEBODY.search(text.lower().replace("’", "'")) is not None


def may_be_quoted(text: str) -> bool:
    """Tell whether what somebody said in a channel may be quoted to those who can read it there."""
    return not says_personal(text) and not is_private(text)
