"""Words that are no names, and words that show that a name stands beside them."""

from typing import Final

from bot.conversation.grammar.words import is_calendar_word, word_set

DETERMINERS: Final = word_set("""
    a an the my your his her its our their this that these those some any no every each of
    мой моя мое мои твой твоя твое твои наш наша наше наши ваш ваша его ее их этот эта это эти тот та те
""")
"""Words before an ordinary noun: in "my rust", rust is no member's name."""

_FUNCTION_WORDS: Final = DETERMINERS | word_set("""
    i me you he she it we they us him them who what when where why how which there here and or but not if so as at by
    for from in into on to up with is are was were be been am do does did has have had can could will would shall
    should may might must everyone everybody someone somebody anyone nobody all both many most more much very just
    only also than then now never always often today tomorrow yesterday yes
    я ты он она оно мы вы они меня тебя нас вас мне тебе ему ей им нам вам кто что где когда как почему какой и или
    но не ни да нет в на с со у к о об от до по за из для при про без все всё кому чему там тут здесь уже еще ли бы
    был была было были есть будет сегодня завтра вчера потом сейчас очень
""")
_NO_STARTING_NAMES: Final = word_set("""
    server guild channel people person life work home nothing something anything one two three nobody none another
    other others let maybe perhaps please thanks sometimes usually normally actually apparently
    каждый каждая кто-то никто ничто что-то сервер гильдия канал народ человек люди жизнь работа один одна два три
    иногда обычно наверное возможно если чтобы
""")
BELONGINGS: Final = word_set("""
    birthday bday name nickname job wife husband cat dog phone email favourite favorite pronouns timezone mom dad
    mother father brother sister son daughter kids girlfriend boyfriend partner hobby address house car surname
""")
"""What people have: "Zoltan's birthday" is about somebody, "today's menu" is not."""


def is_function_word(word: str) -> bool:
    """Return whether `word` is so common that it names a member only after an @."""
    return word.lower() in _FUNCTION_WORDS


def may_start_with_name(word: str) -> bool:
    """Return whether a sentence that begins with capitalised `word` may begin with a name that nobody bears."""
    lower = word.lower().replace("ё", "е")
    return not (lower in _FUNCTION_WORDS or lower in _NO_STARTING_NAMES or is_calendar_word(lower))
