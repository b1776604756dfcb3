"""Words of grave matters in languages without a folder: what nobody is told to have done on another's word.

English and Russian have theirs in `bot/text/<code>/retelling.py`.
"""

import re
from typing import Final

from bot.text.language_detection import folded

_GRAVE: Final = re.compile(
    r"""(?<!\w)(?:
    gestohlen|stahl|stiehlt|diebstahl\w*|dieb\w{0,2}|betrogen|betrug\w*|betrüg\w+|gelogen|lügt|lügner\w*|gestand\w*|gestanden|schuldig
    |verhaftet|gefeuert|entlassen|erpress\w+|bedroh\w+|verraten|verräter\w*|geschlagen|umgebracht|säufer\w*|drogen\w*
    |rob(?:o|ó|é|a|aste|aron|amos|ado|ada|ando|ar)|hurt[óo]\w*|ladr[óo]n\w*|estaf\w+|menti[óor]\w*|mentiros\w+|confes[óo]\w*|culpable\w*|arrestad\w+
    |despedid\w+|traicion\w+|amenaz\w+|chantaj\w+|golpe[óo]\w*|mat[óo]|borrach\w+|drogas
    |vol[ée]e?s?|voler|voleu\w+|trich\w+|escroqu\w+|menti|menteu\w+|avou[ée]\w*|coupable\w*|arrêt[ée]e?s?|licenci[ée]\w*|trahi\w*|menac\w+
    |chantage|frapp[ée]\w*|tu[ée]e?s?|ivrogne\w*|drogu\w+
    |ukrad\w+|kradzie\w+|kradł\w*|złodziej\w*|oszuk\w+|oszust\w*|kłam\w+|przyzna\w+|winn[yiae]\w*|aresztowan\w*|zwolnion\w*|zdradzi\w+|groził\w*
    |szantaż\w*|pobił\w*|zabił\w*|pijak\w*|narkotyk\w*
    |roubo?u?|ladr[ãa]o|trapace\w+|confess\w+|rubat\w+|ladr[oi]|imbrogli\w+|truffa\w*|mentito|gestolen|dief\w*|bedrog\w*|gelogen|çal(?:dı|an)\w*
    |вкра(?:в|ла|ли|ден\w+)|крадіж\w+|злоді\w+|зізна\w+|шахра\w+|збрехав|обдури\w+|зрадив\w*|заарешт\w+|звільни\w+
    )(?!\w)""",
    re.VERBOSE,
)


def speaks_of_misdeeds(text: str) -> bool:
    """Tell whether `text` says, in a language without a folder, that somebody did or met with something grave."""
    return _GRAVE.search(folded(text)) is not None
