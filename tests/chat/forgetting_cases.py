"""What is remembered, what is said in words as somebody would say them, what is gone then, and what stays.

`remember` are statements for "Bot, remember that ..."; `say` is what is said then, the bot's name included, one line
after the other, the answer to a question of the bot's too. `gone` and `stays` are words that no fact, or some fact,
that is known of anybody holds in the end.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Case:
    remember: str
    """Statements, one a line, each after its teller."""
    say: str
    """What is said then, one line after the other, each after who says it."""
    gone: str = ""
    """Texts between commas."""
    stays: str = ""

    @property
    def name(self) -> str:
        """What it is called by: what is said."""
        return " / ".join(line.strip() for line in self.say.strip().splitlines())


SIBLINGS: Final = (
    Case("alice: I own TKT-100\nalice: I own TKT-1001", "alice: Bot, forget TKT-100", "TKT-100.", "TKT-1001"),
    Case(
        "alice: I own TKT-100\nalice: I own TKT-1001",
        "alice: bot forget about the TKT-1001 record",
        "TKT-1001",
        "TKT-100.",
    ),
    Case(
        "alice: my number is 030 5550 17\nalice: my office number is 030 5550 178",
        "alice: Bot, forget 030 5550 17",
        "030 5550 17.",
        "178",
    ),
    Case(
        "alice: my mail is alice@acme.io\nalice: my other mail is alice@acme.io.uk",
        "alice: Bot, forget alice@acme.io",
        "alice's mail",
        "alice@acme.io.uk",
    ),
    Case(
        "alice: my blog is acme.io/alice\nalice: my shop is acme.io/alice/shop",
        "alice: Bot, forget acme.io/alice",
        "blog",
        "shop",
    ),
    Case(
        "alice: the invoice is INV-2024-7\nalice: the next invoice is INV-2024-70",
        "alice: Bot, forget INV-2024-7",
        "INV-2024-7.",
        "INV-2024-70",
    ),
    Case(
        "alice: I fly with LH 400\nalice: I fly back with LH 4001",
        "alice: Bot, forget that I fly with LH 400",
        "LH 400.",
        "LH 4001",
    ),
    Case(
        "alice: my server is 10.0.0.1\nalice: my backup is 10.0.0.12",
        "alice: Bot, forget 10.0.0.1",
        "server",
        "10.0.0.12",
    ),
    Case("alice: I write C\nalice: I write C++", "alice: Bot, forget that I write C++", "C++", "writes C."),
    Case("alice: I use v2.1\nalice: I tested v2.10", "alice: Bot, forget v2.1", "v2.1.", "v2.10"),
    Case("alice: I own TKT-1001", "alice: Bot, forget TKT-100", "", "TKT-1001"),
    Case(
        "Маша: моя заявка ABC-77\nМаша: старая заявка ABC-777",
        "Маша: Бот, забудь про ABC-77",
        "ABC-77.",
        "ABC-777",
    ),
    Case(
        "Маша: мой рейс SU 140\nМаша: обратный рейс SU 1402",
        "Маша: Бот, забудь рейс SU 140",
        "SU 140.",
        "SU 1402",
    ),
)

PARAPHRASES: Final = (
    Case("alice: I love ramen", "alice: Bot, forget that I like ramen", "ramen"),
    Case("alice: I enjoy hiking\nalice: I like tea", "alice: bot forget that i love hiking", "hiking", "tea"),
    Case("alice: I live at 12 Elm Street", "alice: Bot, forget my address\nalice: yes", "Elm"),
    Case("alice: I work as a plumber", "alice: Bot, forget my job\nalice: yes", "plumber"),
    Case("alice: I was born on 4 July", "alice: Bot, forget my birthday\nalice: yes", "07-04, July"),
    Case("alice: my phone is 030 5550 17", "alice: Bot, forget my phone number", "5550"),
    Case("alice: my cell is 030 5550 17", "alice: Bot, please forget my mobile number", "5550"),
    Case("alice: I can't stand olives", "alice: Bot, forget that I hate olives", "olives"),
    Case(
        "alice: I have a cat named Tofu\nalice: I live in Oslo", "alice: Bot, forget my cat", "Tofu", "Oslo"
    ),
    Case("alice: I'm allergic to peanuts", "alice: Bot, forget my peanut allergy", "peanut"),
    Case("alice: my favourite film is Alien", "alice: Bot, forget my favorite movie", "Alien"),
    Case("alice: I'm 30 years old", "alice: Bot, forget my age\nalice: yes", "30"),
    Case(
        "alice: my wife is called Ida\nalice: I have a dog called Rex",
        "alice: Bot, forget my wife's name\nalice: yes",
        "Ida",
        "Rex",
    ),
    Case("alice: I'm really into techno", "alice: Bot, forget that I love techno", "techno"),
    Case("alice: I reside in Bergen", "alice: Bot, forget that I live in Bergen", "Bergen"),
    Case("alice: I drive a red Volvo", "alice: Bot, forget the Volvo", "Volvo"),
    Case("Маша: я обожаю рамен", "Маша: Бот, забудь, что я люблю рамен", "рамен"),
    Case("Маша: я живу на улице Ленина, 12", "Маша: Бот, забудь мой адрес\nМаша: да", "Ленина"),
    Case("Маша: я терпеть не могу лук", "Маша: Бот, забудь, что я ненавижу лук", "лук"),
    Case("Маша: мой телефон 8 912 000 11 22", "Маша: Бот, забудь мой номер телефона", "912"),
    Case(
        "Маша: у меня есть кот Тофу\nМаша: я живу в Казани",
        "Маша: Бот, забудь про моего кота",
        "Тофу",
        "Казани",
    ),
    Case("Маша: я работаю врачом", "Маша: Бот, забудь мою работу\nМаша: да", "врач"),
)

DENIALS: Final = (
    Case("alice: I like tea", "alice: Bot, forget that I don't like tea", "", "tea"),
    Case("alice: I don't like tea", "alice: Bot, forget that I like tea", "", "tea"),
    Case("alice: I hate olives", "alice: Bot, forget that I don't like olives", "olives"),
    Case(
        "alice: I don't eat meat\nalice: I eat fish",
        "alice: Bot, forget that I don't eat meat",
        "meat",
        "fish",
    ),
    Case("alice: my number is 030 5550 17 (not the mobile)", "alice: Bot, forget 030 5550 17", "5550"),
    Case(
        "alice: my number is 030 5550 17 (not the mobile)",
        "alice: Bot, forget that my number is 030 5550 17",
        "5550",
    ),
    Case("alice: I live at Elm Street no. 5", "alice: Bot, forget that I live at Elm Street no. 5", "Elm"),
    Case(
        "alice: the raid is on Saturday, not on Sunday",
        "alice: Bot, forget that the raid is on Saturday",
        "raid",
    ),
    Case("alice: I have no cat\nalice: I have a dog", "alice: Bot, forget that I have a dog", "dog", "cat"),
    Case(
        "alice: I never drink coffee\nalice: I drink tea",
        "alice: Bot, forget that I never drink coffee",
        "coffee",
        "tea",
    ),
    Case("alice: I am not a morning person", "alice: Bot, forget that I'm a morning person", "", "morning"),
    Case("Маша: я люблю чай", "Маша: Бот, забудь, что я не люблю чай", "", "чай"),
    Case("Маша: я не ем мясо\nМаша: я ем рыбу", "Маша: Бот, забудь, что я не ем мясо", "мясо", "рыб"),
    Case("Маша: мне не нравится лук", "Маша: Бот, забудь, что я не люблю лук", "лук"),
)

DAYS: Final = (
    Case("alice: my exam is on 4 July", "alice: Bot, forget that my exam is on July 4th", "exam"),
    Case(
        "alice: my exam is on 2026-07-04\nalice: my party is on 2026-07-14",
        "alice: Bot, forget the exam on 4.7.2026",
        "exam",
        "party",
    ),
    Case(
        "alice: my trip starts on 4 July\nalice: my course starts on 14 July",
        "alice: Bot, forget the course on July 14\nalice: yes",
        "course",
        "trip",
    ),
    Case(
        "alice: the match is on 5 May\nalice: the rematch is on 6 May",
        "alice: Bot, forget that the match is on 05.05.2026",
        "match is on 2026-05-05",
        "rematch",
    ),
    Case(
        "alice: the match is on 5 May",
        "alice: Bot, forget that the match is on 6 May\nalice: no",
        "",
        "match",
    ),
    Case(
        "alice: my exam was on 2025-07-04\nalice: my exam is on 2026-07-04",
        "alice: Bot, forget that my exam is on 2026-07-04",
        "2026-07-04",
    ),
    Case(
        "alice: I have a dentist appointment on Friday",
        "alice: Bot, forget that I have a dentist appointment on Friday",
        "dentist",
    ),
    Case(
        "alice: I have a dentist appointment tomorrow\nalice: I fly to Rome tomorrow",
        "alice: Bot, forget the dentist appointment",
        "dentist",
        "Rome",
    ),
    Case("alice: my birthday is on 4 July", "alice: Bot, forget that I was born on July 4", "birthday"),
    Case(
        "alice: our anniversary is on 3 June", "alice: Bot, forget the anniversary on June 3rd", "anniversary"
    ),
    Case("Маша: мой экзамен 4 июля", "Маша: Бот, забудь, что мой экзамен 04.07.2026", "экзамен"),
    Case(
        "Маша: у меня день рождения 3 мая\nМаша: отпуск с 13 мая",
        "Маша: Бот, забудь мой день рождения\nМаша: да",
        "рождени",
        "отпуск",
    ),
    Case("Маша: концерт 5 мая", "Маша: Бот, забудь, что концерт 15 мая\nМаша: нет", "", "концерт"),
)

SHARED: Final = (
    Case(
        "alice: I play the cello\nbob: I play the cello",
        "alice: Bot, forget that I play the cello",
        "alice plays the cello",
        "bob plays the cello",
    ),
    Case(
        "alice: I live in Oslo\nbob: I live in Oslo",
        "bob: bot forget that i live in oslo",
        "bob lives",
        "alice lives",
    ),
    Case(
        "alice: I like ramen\nbob: I love ramen",
        "bob: Bot, forget that I like ramen",
        "bob loves",
        "alice likes",
    ),
    Case(
        "alice: my birthday is on 4 July\nbob: my birthday is on 4 July",
        "alice: Bot, forget my birthday\nalice: yes",
        "alice's",
        "bob's",
    ),
    Case(
        "alice: I work at Acme\nbob: I work at Acme",
        "alice: Bot, forget where I work\nalice: yes",
        "alice works",
        "bob works",
    ),
    Case(
        "alice: bob likes chess\nalice: I like chess",
        "bob: Bot, forget that I like chess",
        "bob likes",
        "alice likes",
    ),
    Case(
        "alice: I like chess\nbob: I like chess",
        "alice: Bot, forget everything about chess\nalice: yes",
        "alice likes",
        "bob likes",
    ),
    Case(
        "alice: my number is 030 5550 17\nbob: my number is 030 5550 17",
        "bob: Bot, forget 030 5550 17",
        "bob's",
        "alice's",
    ),
    Case(
        "alice: bob owns a boat\nalice: gruzilkin owns a boat",
        "alice: Bot, forget that bob owns a boat",
        "bob owns",
        "gruzilkin owns",
    ),
    Case("bob: I like pizza", "alice: Bot, forget that bob likes pizza", "", "pizza"),
    Case("bob: I like pizza", "alice: Bot, forget pizza", "", "pizza"),
    Case(
        "Маша: я люблю чай\nПаша: я люблю чай",
        "Маша: Бот, забудь, что я люблю чай",
        "Маша любит",
        "Паша любит",
    ),
    Case(
        "Маша: я живу в Казани\nПаша: я живу в Казани",
        "Паша: Бот, забудь, что я живу в Казани",
        "Паша жив",
        "Маша жив",
    ),
)

COMPOUNDS: Final = (
    Case("alice: I like pizza and I own a cat", "alice: Bot, forget that I own a cat", "cat", "pizza"),
    Case(
        "alice: I like pizza and I own a cat\nalice: I have a cat",
        "alice: Bot, forget that I own a cat",
        "cat",
        "pizza",
    ),
    Case("alice: I own a cat\nalice: I want a dog", "alice: Bot, forget that I have a cat", "cat", "dog"),
    Case("alice: I own a cat, but I like dogs", "alice: Bot, forget that I like dogs", "dogs", "cat"),
    Case("alice: I play chess and I live in Oslo", "alice: Bot, forget that I live in Oslo", "Oslo", "chess"),
    Case(
        "alice: my sister is a nurse; my brother is a cook",
        "alice: Bot, forget that my brother is a cook",
        "cook",
        "nurse",
    ),
    Case(
        "alice: I keep bees and coach a rowing team",
        "alice: Bot, forget that I keep bees\nalice: no",
        "",
        "rowing",
    ),
    Case(
        "alice: bob keeps bees and coaches a rowing team",
        "bob: Bot, forget that I coach a rowing team",
        "rowing",
        "bees",
    ),
    Case("alice: I own a cat and a dog", "alice: Bot, forget that I own a cat\nalice: no", "", "cat, dog"),
    Case("alice: I like salt and pepper", "alice: Bot, forget that I like salt\nalice: no", "", "pepper"),
    Case(
        "alice: I like pizza and I like pineapple pizza",
        "alice: Bot, forget that I like pineapple pizza",
        "pineapple",
        "pizza",
    ),
    Case(
        "alice: I speak French and I play the harp; I own a boat",
        "alice: Bot, forget that I play the harp",
        "harp",
        "French, boat",
    ),
    Case(
        "alice: I have two kids and I drive a Volvo",
        "alice: Bot, forget that I drive a Volvo",
        "Volvo",
        "kids",
    ),
    Case("Маша: я люблю пиццу и у меня есть кот", "Маша: Бот, забудь, что у меня есть кот", "кот", "пицц"),
    Case(
        "Маша: я живу в Казани, а работаю в Москве",
        "Маша: Бот, забудь, что я живу в Казани\nМаша: нет",
        "",
        "Москве",
    ),
    Case("Маша: у меня есть кот, но я люблю собак", "Маша: Бот, забудь, что я люблю собак", "собак", "кот"),
)

SPELLINGS: Final = (
    Case("alice: my number is +49 30 555017", "alice: Bot, forget 030 5550 17", "555017"),
    Case("alice: my number is 030 5550 17", "alice: Bot, forget +49 (30) 555-017", "5550"),
    Case("alice: my number is 0049 30 555017", "alice: Bot, forget +4930555017", "555017"),
    Case("alice: my ticket is TKT-007", "alice: Bot, forget tkt 7", "TKT"),
    Case("alice: my ticket is TKT-007", "alice: Bot, forget TKT#7", "TKT"),
    Case("alice: my mail is alice@acme.io", "alice: Bot, forget “Alice@Acme.io”", "acme"),
    Case("alice: my mail is alice+news@acme.io", "alice: Bot, forget alice@acme.io\nalice: yes", "acme"),
    Case(
        "alice: my mail is alice+news@acme.io\nalice: my work mail is alice@acme.io",
        "alice: Bot, forget alice@acme.io",
        "alice@acme.io.",
        "alice+news@acme.io",
    ),
    Case("alice: my site is https://www.acme.io/alice/", "alice: Bot, forget acme.io/alice", "acme"),
    Case("alice: my site is acme.io", "alice: Bot, forget https://acme.io/", "acme"),
    Case("alice: my order is A.B-100", "alice: Bot, forget AB-100\nalice: yes", "A.B"),
    Case("alice: my wifi is `Net-5G`\nalice: I like tea", "alice: Bot, forget Net-5G", "Net-5G", "tea"),
    Case("Маша: мой телефон 8 (912) 000-11-22", "Маша: Бот, забудь +7 912 000 11 22\nМаша: да", "912"),
    Case("Маша: мой рейс SU-1402", "Маша: Бот, забудь su 1402", "1402"),
)

LANGUAGES: Final = (
    Case("alice: I like Tetris", "alice: Бот, забудь, что я люблю Tetris", "Tetris"),
    Case("alice: my number is 030 5550 17", "alice: Бот, забудь 030 5550 17", "5550"),
    Case("alice: I live at 12 Elm Street", "alice: Бот, забудь мой адрес\nalice: да", "Elm"),
    Case("Маша: я живу на улице Ленина, 12", "Маша: Bot, forget my address\nМаша: yes", "Ленина"),
    Case("Маша: моя заявка ABC-77", "Маша: Bot, forget ABC-77", "ABC"),
    Case("Маша: мой экзамен 4 июля", "Маша: Bot, forget July 4\nМаша: yes", "экзамен"),
    Case(
        "Маша: я люблю Minecraft\nМаша: я люблю чай",
        "Маша: Bot, forget that I like Minecraft",
        "Minecraft",
        "чай",
    ),
    Case("Маша: я люблю чай\nalice: I like tea", "Маша: Бот, забудь, что я люблю чай", "чай", "tea"),
    Case("alice: I work as a nurse", "alice: Бот, забудь мою работу\nalice: да", "nurse"),
    Case("Маша: я ненавижу Java", "Маша: Bot, forget that I hate Java", "Java"),
    Case("alice: my mail is alice@acme.io", "alice: бот забудь мою почту alice@acme.io", "acme"),
)

WORDS_TOO_MANY: Final = (
    Case(
        "alice: I own TKT-100\nalice: I own TKT-1001",
        "alice: Bot, forget the TKT-100 record",
        "TKT-100.",
        "TKT-1001",
    ),
    Case("alice: I like raspberries", "alice: Bot, forget that I like raspberies\nalice: yes", "raspberries"),
    Case(
        "alice: I like raspberries\nalice: I like strawberries",
        "alice: Bot, forget that I like strawberys\nalice: yes",
        "strawberries",
        "raspberries",
    ),
    Case("alice: I live in Reykjavik", "alice: bot forget that i live in Reykjavk\nalice: yes", "Reykjavik"),
    Case(
        "alice: I like green tea\nalice: I like chess",
        "alice: Bot, forget that I like tea\nalice: yes",
        "tea",
        "chess",
    ),
    Case(
        "alice: I like green tea\nalice: I like black tea\nalice: I like mint tea",
        "alice: Bot, forget that I like tea\nalice: 2",
        "",
        "tea",
    ),
    Case(
        "alice: I like green tea\nalice: I like black tea",
        "alice: Bot, forget that I like tea\nalice: neither",
        "",
        "green tea, black tea",
    ),
    Case(
        "alice: I like green tea\nalice: I like black tea",
        "alice: Bot, forget that I like tea\nalice: all of them",
        "green tea, black tea",
    ),
    Case(
        "alice: I like green tea\nalice: I like black tea",
        "alice: Bot, forget tea\nalice: what a nice day it is\nalice: none of them",
        "",
        "green tea, black tea",
    ),
    Case("alice: I like pizza", "alice: Bot, forget the pizza thing", "pizza"),
    Case("alice: I like pineapple pizza", "alice: Bot, forget that I like pizza\nalice: no", "", "pizza"),
    Case("alice: I like pizza", "alice: Bot, forget that I like pineapple pizza\nalice: no", "", "pizza"),
    Case("alice: I want a boat", "alice: Bot, forget that I own a boat\nalice: no", "", "boat"),
    Case("alice: I like pizza", "alice: Bot, forget that I like ramen", "", "pizza"),
    Case("Маша: я люблю малину", "Маша: Бот, забудь, что я люблю малинну\nМаша: да", "малин"),
    Case(
        "Маша: я люблю зелёный чай\nМаша: я люблю чёрный чай",
        "Маша: Бот, забудь, что я люблю чай\nМаша: никакую",
        "",
        "зелёный, чёрный",
    ),
    Case(
        "Маша: я люблю зелёный чай\nМаша: я люблю чёрный чай",
        "Маша: Бот, забудь про чай\nМаша: все",
        "зелёный, чёрный",
    ),
)

NAMES_AND_THINGS: Final = (
    Case(
        "alice: I live in Oslo\nalice: my sister lives in Rome",
        "alice: Bot, forget where I live\nalice: yes",
        "Oslo",
        "Rome",
    ),
    Case(
        "alice: I live in Oslo\nalice: my sister lives in Rome",
        "alice: Bot, forget where my sister lives",
        "Rome",
        "Oslo",
    ),
    Case(
        "alice: Grace owns two boats\nalice: Grace likes tea",
        "alice: Bot, forget what Grace owns\nalice: yes",
        "boats",
        "likes tea",
    ),
    Case(
        "alice: I like green tea\nalice: I like black tea\nalice: I own a boat",
        "alice: Bot, forget that I like tea\nalice: Bot, forget my boat\nalice: 1",
        "boat",
        "green tea, black tea",
    ),
    Case(
        "alice: I like tea\nalice: I own a boat",
        "alice: Bot, what do you know about me?\nalice: Bot, forget number 2\nalice: yes",
        "tea",
        "boat",
    ),
    Case(
        "alice: I like tea\nalice: I own a boat",
        "alice: Bot, what do you know about me?\nalice: Bot, forget the first one\nalice: yes",
        "boat",
        "tea",
    ),
    Case(
        "alice: Grace likes tulips\nalice: I like tulips",
        "alice: Bot, forget everything about Grace\nalice: yes",
        "Grace",
        "alice likes tulips",
    ),
    Case("alice: Grace likes tulips", "alice: Bot, forget that Grace likes tulips", "tulips"),
    Case("alice: Grace likes tulips", "bob: Bot, forget everything about Grace", "", "tulips"),
    Case(
        "alice: I love pizza\nalice: pizza night is on Friday\nalice: I like tea",
        "alice: Bot, forget everything about pizza\nalice: yes",
        "pizza",
        "tea",
    ),
    Case("alice: I love pizza", "alice: Bot, forget everything about pizza\nalice: no", "", "pizza"),
    Case("alice: hope dies last", "alice: Bot, forget that hope dies last", "hope"),
    Case("alice: the door code hangs in the kitchen", "alice: Bot, forget the door code", "door"),
    Case("alice: bob is a pilot", "bob: Bot, forget that", "pilot"),
    Case("alice: I like tea\nbob: alice is a pilot", "alice: Bot, forget that", "pilot", "tea"),
    Case("bob: I like tea", "alice: Bot, forget that", "", "tea"),
    Case("Маша: Грейс любит тюльпаны", "Маша: Бот, забудь всё про тюльпаны\nМаша: да", "тюльпан"),
    Case(
        "Маша: я люблю пиццу\nМаша: я люблю чай", "Маша: Бот, забудь всё про пиццу\nМаша: да", "пицц", "чай"
    ),
)

CHAINS: Final = (
    Case(
        "alice: I live in Oslo",
        "alice: Bot, no, I said Bergen\nalice: Bot, forget that I live in Bergen",
        "Bergen, Oslo",
    ),
    Case(
        "alice: I live in Oslo",
        "alice: Bot, no, Bergen\nalice: Bot, forget my address\nalice: yes",
        "Bergen, Oslo",
    ),
    Case("alice: the raid is on Friday", "alice: Bot, no, Saturday\nalice: Bot, forget the raid", "raid"),
    Case(
        "alice: my cat is called Tofu", "alice: Bot, no, Miso\nalice: Bot, forget my cat's name", "Miso, Tofu"
    ),
    Case(
        "alice: my cat is called Tofu\nalice: my dog is called Rex",
        "alice: Bot, no, my cat is Miso\nalice: Bot, forget what my cat is called",
        "Miso, Tofu",
        "Rex",
    ),
    Case(
        "alice: my cat is called Tofu",
        "alice: Bot, no, Miso\nalice: Bot, forget the name Tofu",
        "Tofu",
        "Miso",
    ),
    Case("alice: I live in Oslo", "alice: Bot, no, Bergen\nalice: Bot, forget Oslo", "Oslo", "Bergen"),
    Case(
        "alice: I live in Oslo",
        "alice: Bot, no, Bergen\nalice: Bot, forget that I live in Oslo",
        "Oslo",
        "Bergen",
    ),
    Case(
        "Маша: мою кошку зовут Мурка",
        "Маша: Бот, нет, Дымка\nМаша: Бот, забудь, как зовут мою кошку",
        "Мурка, Дымка",
    ),
    Case(
        "alice: I like tea",
        "alice: Bot, scratch that\nalice: Bot, remember that I like coffee\nalice: Bot, forget that I like tea",
        "tea",
        "coffee",
    ),
    Case(
        "alice: I like tea",
        "alice: Bot, forget that I like tea\nalice: Bot, remember that I like tea",
        "",
        "tea",
    ),
    Case(
        "alice: my number is 030 5550 17",
        "alice: Bot, no, 030 5550 18\nalice: Bot, forget 030 5550 18",
        "5550",
    ),
    Case(
        "alice: bob likes chess",
        "alice: Bot, it was gruzilkin, not bob\nalice: Bot, forget that gruzilkin likes chess",
        "chess",
    ),
    Case(
        "alice: I play the cello\nalice: I play the harp",
        "alice: Bot, no, I meant the bass\nalice: Bot, forget that I play the bass",
        "bass, harp",
        "cello",
    ),
    Case(
        "Маша: я живу в Казани",
        "Маша: Бот, нет, я сказала в Москве\nМаша: Бот, забудь, что я живу в Москве",
        "Москв, Казан",
    ),
)

KINDS: Final = {
    "longer siblings": SIBLINGS,
    "other words": PARAPHRASES,
    "denied or not": DENIALS,
    "days": DAYS,
    "what two people share": SHARED,
    "several things at once": COMPOUNDS,
    "spellings": SPELLINGS,
    "two languages": LANGUAGES,
    "too many words, or a slip": WORDS_TOO_MANY,
    "names and things": NAMES_AND_THINGS,
    "chains of corrections": CHAINS,
}
