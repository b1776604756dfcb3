"""What is not learned about anybody, however plainly they say it."""

import re
from typing import Final

from bot.memory.secrets import MASK
from bot.memory.sensitive import says_sensitive

_PRIVATE: Final = re.compile(
    r"""(?<!\w)(?:
    # beliefs
    jesus | christ | allah | bible | quran | koran | torah | pope | loves?\ god
    | (?:is|works\ as)\ an?\ (?:\w+\ )?(?:priest|imam|rabbi|pastor|nun|monk|missionary|vicar|deacon)
    | бог(?:а|у|ом|е)? | аллах\w* | иисус\w* | библи\w+ | коран\w* | священник\w* | храм\w*
    # politics
    | maga | tory | tories | brexit | gop | (?:war|invasion|genocide)\ in | vot(?:e|es|ed|ing) | feminis[tm]\w*
    | anarchis\w+ | marxis\w+ | войн[аыуе] | голосу\w+ | проголос\w+ | феминис\w+
    # orientation and bodies
    | pride\ (?:parade|flag|month|event|march|festival) | is\ (?:trans|straight) | non-?binary | drag\ \w+
    | sex | porn\w* | kinks? | (?:likes?|loves?)\ (?:men|women|girls|boys|guys|ladies)
    | парн[яией]\w* | девуш\w+ | женщин\w* | мужчин\w* | секс\w* | порно\w*
    # health
    | meds | pills? | counsel\w+ | insulin | allerg\w+ | weed | cannabis | marijuana | cocaine | heroin | drugs?
    | vap(?:e|es|ing) | smoking | drunk | drinking | alcohol | clinics? | vaccin\w+ | on\ a\ diet
    | (?:to|at|from|saw|visited)\ (?:the\ |their\ |a\ |an\ )?(?:\w+\ )?(?:doctors?|dentists?)(?:'s)?
    | [ку]\ врач\w* | врач(?:ей|ами) | клиник\w* | больниц\w* | аллерги\w* | наркоти\w+ | курить | алкогол\w*
    | пьян\w+ | вакцин\w+ | прививк\w+
    # money
    | payday | paychecks? | unemployed | evict\w+ | безработн\w+ | деньги | денег
    )(?!\w)""",
    re.VERBOSE,
)


def is_private(content: str) -> bool:
    """Return whether `content` holds a secret, or speaks of health, belief, politics, orientation or money."""
    if MASK in content or says_sensitive(content):
        return True
    lowered = content.lower().replace("ё", "е")
    return _PRIVATE.search(lowered) is not None
