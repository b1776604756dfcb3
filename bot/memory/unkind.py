"""Insults and accusations, as plainly as they are said of a member: what stands in for a model's judgement.

Only what is sure is here. A word alone proves little ("likes The Idiot", "stole the show"), so it counts where it is
said of somebody: "<@7> is such an idiot", «<@7> — вор».
"""

import re
from collections.abc import Collection
from typing import Final

_INSULTS: Final = (
    r"idiots?|morons?|imbeciles?|stupid|dumb(?:ass)?|losers?|assholes?|arseholes?|jerks?|bastards?|bitch(?:es)?",
    r"cunts?|sluts?|whores?|pricks?|dickheads?|twats?|wankers?|scum(?:bag)?|retard(?:ed)?|creeps?|weirdos?",
    r"pathetic|worthless|disgusting|ugly|fat|useless|trash|garbage|brain-?dead|fool(?:s|ish)?|piece of (?:shit|crap)",
    r"идиот(?:ка)?|дурак|дура|дебил(?:ка)?|кретин(?:ка)?|туп(?:ой|ая|ица)|придурок|козел|сволочь|мразь|урод(?:ина)?",
    r"ублюдок|сука|шлюха|мудак|лох|чмо|гад(?:ина)?|скотина|тварь|ничтожество|свинья|неудачни(?:к|ца)|жирн(?:ый|ая)",
    r"уродлив(?:ый|ая)|отстой|подонок|мерзав(?:ец|ка)",
)
_ACCUSED: Final = (
    r"thie(?:f|ves)|liars?|cheat(?:er)?s?|crooks?|criminals?|rapists?|p(?:a)?edophiles?|racists?|murderers?|stalkers?",
    r"abusers?|frauds?|scammers?|con(?: ?man| ?artist)|drug dealers?|terrorists?|perverts?",
    r"вор(?:овка)?|лжец|лгун(?:ья)?|врун(?:ья)?|обманщи(?:к|ца)|мошенни(?:к|ца)|преступни(?:к|ца)|насильник|педофил",
    r"убийца|расист(?:ка)?|сталкер|извращенец|террорист(?:ка)?|наркодилер",
)
_DEEDS: Final = (
    r"(?:stole|steals|has stolen|stealed)(?! (?:the show|home|a base|bases|(?:my|our|your|everyone's) hearts?)\b)",
    r"(?:cheats|cheated|is cheating|was cheating) (?:on|at|in)|(?:lies|lied|is lying|always lies) (?:to|about)",
    r"(?:hits|beats|beat up|abuses|abused) (?:his|her|their|the) \w+|(?:harass|assault|molest)(?:es|s|ed)|raped",
    r"scam(?:s|med)|sells? drugs|deals drugs|was arrested|(?:was|went|has been) (?:in|to) (?:jail|prison)",
    r"(?:sleeps|slept|is sleeping) with|has an affair|smells|stinks",
    r"украл[аи]?|крад[ее]т|ворует|воровал[аи]?|вр[ее]т|соврал[аи]?|лж[ее]т|обманывает|обманул[аи]?|изменя(?:ет|л|ла)",
    r"(?:бь[ее]т|избивает|избил[аи]?) \w+|домога(?:ется|лся|лась)|изнасиловал|торгует наркотиками",
    r"(?:сидел[аи]?|сидит) в тюрьме|спит с|воняет",
)
_MEMBER: Final = r"<@!?(?P<member>\d{1,19})>"
_IS: Final = (
    r"(?:\ (?:really|just|always|still|clearly|obviously|actually))?"
    r"(?:\ (?:is|was|are|were|acts\ like|looks\ like|behaves\ like)|['’]s)"
    r"(?:\ (?:an?|the|such|so|really|very|just|a\ bit|always|quite|pretty|totally|total|complete|completely|absolute"
    r"|absolutely|fucking|damn|biggest|real|known|big|huge|little|utter|kind\ of|being|that))*\ "
)
_ETO: Final = (
    r"(?:\ ?[—–:-]+)?(?:\ (?:это|просто|такой|такая|настоящий|настоящая|полный|полная|очень|совсем|тот\ еще|та\ еще"
    r"|самый|самая|редкостный|редкостная|конченый|конченая|старый|старая|ведет\ себя\ как|вообще|реально|был|была"
    r"|an?))*\ "
)


def _of_a_member(*said: str) -> re.Pattern[str]:
    """Return what finds one of `said` where it is said of a member."""
    words = "|".join(said)
    return re.compile(
        rf"{_MEMBER}(?:{_IS}|{_ETO})(?:{words})(?![\w-])|(?:{words})\ {_MEMBER.replace('member', 'called')}"
    )


_INSULT: Final = _of_a_member(*_INSULTS)
_ACCUSATION: Final = re.compile(
    rf"{_of_a_member(*_ACCUSED).pattern}"
    rf"|{_MEMBER.replace('member', 'doer')}(?:\ (?:has|had|always|often|once|still|постоянно|всегда|часто))*"
    rf"\ (?:{'|'.join(_DEEDS)})(?!\w)"
)


def insults(text: str, user_ids: Collection[int]) -> bool:
    """Tell whether `text` plainly insults one of these members, who stand in it as `<@id>`."""
    return _says(_INSULT, text, user_ids)


def accuses(text: str, user_ids: Collection[int]) -> bool:
    """Tell whether `text` plainly says that one of these members did wrong."""
    return _says(_ACCUSATION, text, user_ids)


def _says(pattern: re.Pattern[str], text: str, user_ids: Collection[int]) -> bool:
    plain = " ".join(text.lower().replace("ё", "е").split())
    return any(
        int(member) in user_ids
        for found in pattern.finditer(plain)
        for member in found.groupdict().values()
        if member is not None
    )
