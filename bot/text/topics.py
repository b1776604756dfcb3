"""Which topic a text is about, such as food or work, from English and Russian word lists: facts and
questions that share no word meet in a topic.
"""

from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from typing import Final

from bot.text.tokens import content_stems


class Topic(StrEnum):
    """What facts are asked about most."""

    FOOD = "food"
    DRINK = "drink"
    WORK = "work"
    LEARNING = "learning"
    MUSIC = "music"
    GAMES = "games"
    SCREEN = "screen"
    READING = "reading"
    SPORT = "sport"
    TRAVEL = "travel"
    HOME = "home"
    PETS = "pets"
    FAMILY = "family"
    BODY = "body"
    COMPUTERS = "computers"
    DATES = "dates"
    """Words of time: they meet facts that have a day, not facts that hold the same word."""


_WORDS: Final = {
    Topic.FOOD: """
        food eat eats ate eaten eating cook cooks cooked cooking meal dish recipe lunch dinner supper
        breakfast brunch snack hungry starving restaurant menu cuisine taste tasty delicious kitchen bake
        baking grill fry diet vegan vegetarian meat beef pork chicken fish seafood shrimp egg cheese bread
        pasta noodle noodles ramen udon pizza burger sushi curry soup salad stew steak taco burrito dumpling
        rice potato tomato onion garlic mushroom vegetable fruit apple banana mango strawberry nut nuts
        peanut chocolate cake cookie dessert pie candy honey spicy pepper salt sauce sandwich pancake yogurt
        tofu gluten lactose allergic allergy
        еда ем ешь ест едим едят поесть кушать покушать съесть готовить приготовить блюдо рецепт обед
        обедать ужин ужинать завтрак завтракать перекус голоден голодный голодная ресторан кафе кухня
        вкусный вкусно печь диета веган вегетарианец мясо говядина свинина курица рыба морепродукты креветки
        яйцо сыр хлеб макароны паста лапша рамен пицца бургер суши карри суп борщ салат стейк пельмени
        вареники блины плов рис картошка помидор лук чеснок гриб овощи фрукты яблоко банан манго клубника
        орех арахис шоколад торт печенье десерт пирог конфета мёд острое перец соус бутерброд каша йогурт
        тофу глютен лактоза аллергия""",
    Topic.DRINK: """
        drink drinks drank drinking thirsty bar pub tea coffee espresso latte cocoa juice lemonade soda cola
        water milk beer wine whisky vodka rum gin cocktail smoothie alcohol
        пить пью пьёт выпить напиток бар чай кофе эспрессо латте какао сок лимонад газировка кола вода
        молоко пиво вино виски водка ром джин коктейль алкоголь""",
    Topic.WORK: """
        work works worked working job career profession office boss manager colleague coworker company
        employer client customer salary hired fired promotion interview meeting standup deadline project
        shift startup freelance freelancer engineer developer programmer designer nurse doctor teacher
        lawyer accountant chef driver
        работа работать работает работаю карьера профессия офис начальник менеджер коллега компания фирма
        клиент заказчик зарплата уволить повышение собеседование совещание созвон дедлайн проект смена
        стартап фриланс инженер разработчик программист дизайнер медсестра врач учитель юрист бухгалтер
        повар водитель""",
    Topic.LEARNING: """
        study studies studied studying student school university college exam exams class lecture homework
        degree thesis professor grade semester learn learning language
        учёба учиться учится учусь студент школа университет институт колледж экзамен зачёт контрольная урок
        курс лекция домашка диплом диссертация преподаватель профессор оценка семестр язык""",
    Topic.MUSIC: """
        music song songs sing singing singer band album concert gig playlist listen listening guitar piano
        drums bass violin choir jazz rock metal punk rap techno opera vinyl
        музыка песня петь поёт певец группа альбом концерт плейлист слушать слушает гитара пианино
        фортепиано барабаны скрипка хор джаз рок метал панк рэп техно опера""",
    Topic.GAMES: """
        game games gaming gamer boardgame chess poker console playstation xbox nintendo steam minecraft
        tetris zelda rpg mmo shooter raid boss quest level multiplayer coop speedrun
        игра игры играть играет играю поиграть геймер настолка настолки шахматы покер консоль приставка
        плейстейшн майнкрафт тетрис рпг шутер рейд босс квест уровень кооп""",
    Topic.SCREEN: """
        movie movies film films cinema series episode season anime cartoon actor actress director netflix
        watch watching trailer documentary comedy horror thriller
        кино фильм фильмы сериал серия сезон аниме мультик мультфильм актёр актриса режиссёр смотреть
        посмотреть смотрит трейлер комедия ужасы ужастик триллер""",
    Topic.READING: """
        book books read reads reading novel author writer poem poetry poet comic manga library fiction
        книга книги читать читает читаю прочитать роман автор писатель стихи поэзия поэт комикс манга
        библиотека рассказ фантастика""",
    Topic.SPORT: """
        sport sports football soccer basketball tennis volleyball hockey run runs running jog marathon gym
        workout swim swimming bike cycling climb climbing bouldering hike hiking yoga ski skiing snowboard
        surf match team league fitness
        спорт футбол баскетбол теннис волейбол хоккей бегать бег пробежка марафон зал тренировка
        тренироваться плавать бассейн велосипед скалолазание поход йога лыжи сноуборд сёрфинг матч команда
        лига фитнес""",
    Topic.TRAVEL: """
        travel travels traveling travelling trip journey vacation holiday holidays flight fly flies flying
        plane airport train hotel hostel passport visa abroad beach tour tourist visit visited luggage
        путешествие путешествовать поездка отпуск каникулы рейс лететь летит самолёт аэропорт поезд отель
        гостиница хостел паспорт виза заграница пляж тур турист багаж""",
    Topic.HOME: """
        home house flat apartment live lives living move moved moving rent landlord neighbour neighbor
        roommate city town country village street address garden balcony room
        дом квартира жить живёт живу переехать переезд аренда сосед соседка город страна деревня улица адрес
        сад балкон комната""",
    Topic.PETS: """
        pet pets dog dogs puppy cat cats kitten hamster rabbit parrot bird fish turtle horse snake lizard
        vet leash retriever poodle
        питомец животное собака пёс щенок кот кошка котёнок хомяк кролик попугай птица черепаха лошадь змея
        ящерица ветеринар поводок""",
    Topic.FAMILY: """
        family mother mom mum father dad parent parents brother sister sibling son daughter child children
        kid kids baby wife husband girlfriend boyfriend partner married marriage wedding grandma grandpa
        grandmother grandfather aunt uncle cousin niece nephew
        семья мать мама отец папа родители брат сестра сын дочь дочка ребёнок дети малыш жена муж девушка
        парень женат замужем свадьба бабушка дедушка тётя дядя племянник племянница""",
    Topic.BODY: """
        sleep sleeps sleeping insomnia tired wake allergic allergy glasses tall height tattoo hair
        спать спит сон бессонница устал просыпаться аллергия очки рост татуировка волосы""",
    Topic.COMPUTERS: """
        computer laptop phone pc linux windows mac android iphone code coding program programming python
        rust javascript java keyboard monitor gpu bug software app website
        компьютер ноутбук телефон линукс винда андроид айфон код кодить программировать программирование
        питон клавиатура монитор видеокарта баг софт приложение сайт""",
    Topic.DATES: """
        today tonight tomorrow weekend week month date dates when soon plan plans calendar upcoming schedule
        monday tuesday wednesday thursday friday saturday sunday birthday
        сегодня вечером завтра послезавтра выходные неделя месяц дата когда скоро план планы календарь
        расписание понедельник вторник среда четверг пятница суббота воскресенье днюха""",
}  # fmt: skip


_STORED: Final = tuple(topic for topic in Topic if topic is not Topic.DATES)


def topics_of(text: str) -> frozenset[Topic]:
    """Return what `text`, English or Russian, is about; nothing of most texts.

    Time is a topic only where there is no other: of "what should I eat tonight" it is not the point.
    """
    touched = frozenset(
        topic for stem in content_stems(text) for topic in _topics_by_stem().get(stem, frozenset())
    )
    return touched - {Topic.DATES} or touched


def bits_of(topics: Iterable[Topic]) -> int:
    """Return `topics` as the bits by which facts keep theirs; `DATES` has none."""
    return sum(1 << _STORED.index(topic) for topic in set(topics) if topic is not Topic.DATES)


def stems_about(topics: Iterable[Topic]) -> frozenset[str]:
    """Return the stems of all words that are about one of `topics`."""
    return frozenset().union(*(content_stems(_WORDS[topic]) for topic in topics))


def stems_by_bit() -> dict[int, list[str]]:
    """Return for each bit the stems that set it, with the words themselves for configurations that stem nothing."""
    return {
        bits_of([topic]): sorted(content_stems(_WORDS[topic]) | set(_WORDS[topic].replace("ё", "е").split()))
        for topic in _STORED
    }


@cache
def _topics_by_stem() -> dict[str, frozenset[Topic]]:
    topics: dict[str, set[Topic]] = {}
    for topic, words in _WORDS.items():
        for stem in content_stems(words):
            topics.setdefault(stem, set()).add(topic)
    return {stem: frozenset(found) for stem, found in topics.items()}
