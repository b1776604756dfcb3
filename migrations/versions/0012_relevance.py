"""What choosing memories for a reply needs: what a fact is about, and the stems of a member's facts, found at once."""

from bot.db.migrations import run_script

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    # What a fact is about is kept like its stems: generated, so that no writer can leave it out. Topics that learn
    # new words need a migration that renews function and column.
    bits = " | ".join(
        f"CASE WHEN lexemes @@ '{_any_of(stems.split())}' THEN {bit} ELSE 0 END"
        for bit, stems in _STEMS_BY_BIT.items()
    )
    run_script(f"""
    CREATE FUNCTION topics_of(lexemes tsvector) RETURNS integer
        LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN {bits};
    """)
    # A stem is hashed together with whom its fact is about: a word that half the guild uses leads to the facts of
    # those who take part alone. What is found by hash is compared by word afterwards. The function is not safe to
    # run in parallel, so that no reply waits for a second process to begin.
    run_script("""
    CREATE FUNCTION stem_keys(guild_id bigint, subject_id bigint, lexemes tsvector) RETURNS bigint[]
        LANGUAGE sql IMMUTABLE COST 1000
        RETURN ARRAY(
            SELECT hashtextextended(stem, guild_id # subject_id)
            FROM unnest(tsvector_to_array(lexemes)) AS stem
            WHERE stem <> subject_id::text
        );
    ALTER TABLE facts
        ADD COLUMN topics integer NOT NULL GENERATED ALWAYS AS (topics_of(lexemes)) STORED,
        ADD COLUMN standing smallint GENERATED ALWAYS AS (CASE
            WHEN key IN ('name', 'pronouns') AND author_id = subject_id THEN 1
            WHEN category = 'feeling' THEN 2
            WHEN category = 'preference' OR key LIKE 'likes:%' OR key LIKE 'favorite:%' THEN 3
        END) STORED;
    COMMENT ON COLUMN facts.topics IS 'what it is about, a bit for each topic';
    COMMENT ON COLUMN facts.standing IS 'given whatever is said: 1 what somebody is called, 2 a feeling, 3 a preference';

    CREATE INDEX facts_stem_keys ON facts USING gin (stem_keys(guild_id, subject_id, lexemes))
        WITH (fastupdate = off) WHERE status = 'active';
    CREATE INDEX facts_by_importance ON facts (guild_id, subject_id, importance DESC, said_at DESC)
        WHERE status = 'active';
    CREATE INDEX facts_standing ON facts (guild_id, subject_id, standing, importance DESC, said_at DESC)
        WHERE status = 'active' AND standing IS NOT NULL;
    """)


def _any_of(stems: list[str]) -> str:
    return " | ".join(f"''{stem}''" for stem in stems)


# As they were when this was released: what the code knows today must not change what this makes.
_STEMS_BY_BIT = {
    1: """
        allerg allergi allergic allergy appl apple ate bake baking banana beef bread breakfast brunch burger burrito
        cake candi candy chees cheese chicken chocol chocolate cook cooked cooki cookie cooking cooks cuisin cuisine
        curri curry delici delicious dessert diet dinner dish dumpl dumpling eat eaten eating eats egg fish food fri
        fruit fry garlic gluten grill honey hungri hungry kitchen lactos lactose lunch mango meal meat menu mushroom
        noodl noodle noodles nut nuts onion pancak pancake pasta peanut pepper pie pizza pork potato ramen recip recipe
        restaur restaurant rice salad salt sandwich sauc sauce seafood shrimp snack soup spici spicy starv starving
        steak stew strawberri strawberry supper sushi taco tast taste tasti tasty tofu tomato udon vegan veget vegetable
        vegetarian yogurt аллерг аллергия арахис бана банан блин блины блюд блюдо борщ бургер бутерброд вареник вареники
        вега веган вегетарианец вкусн вкусно вкусный глют глютен говядин говядина голод голоден голодн голодная голодный
        готов готовить гриб десерт диет диета ед еда едим едят ем ест еш ешь завтрак завтрака завтракать йогурт карр
        карри картошк картошка каф кафе каш каша клубник клубника конфет конфета креветк креветки куриц курица кухн
        кухня куша кушать лактоз лактоза лапш лапша лук макарон макароны манг манго мед морепродукт морепродукты мяс
        мясо обед обеда обедать овощ овощи орех остр острое паст паста пельмен пельмени перекус перец печ печен печенье
        печь пирог пицц пицца плов поест поесть покуша покушать помидор приготов приготовить рам рамен рестора ресторан
        рецепт рис рыб рыба салат свинин свинина соус стейк суп суш суши съест съесть сыр торт тоф тофу ужин ужина
        ужинать фрукт фрукты хлеб чеснок шоколад яблок яблоко яйц яйцо""",
    2: """
        alcohol bar beer cocktail cocoa coffe coffee cola drank drink drinking drinks espresso gin juic juice latt latte
        lemonad lemonade milk pub rum smoothi smoothie soda tea thirsti thirsty vodka water whiski whisky wine алкогол
        алкоголь бар вин вино виск виски вод вода водк водка вып выпить газировк газировка джин кака какао коктейл
        коктейль кол кола коф кофе латт латте лимонад молок молоко напиток пив пиво пит пить пьет пью ром сок ча чай
        эспресс эспрессо""",
    4: """
        account accountant boss career chef client colleagu colleague compani company cowork coworker custom customer
        deadlin deadline design designer develop developer doctor driver employ employer engin engineer fire fired
        freelanc freelance freelancer hire hired interview job lawyer manag manager meet meeting nurs nurse offic office
        profess profession programm programmer project promot promotion salari salary shift standup startup teacher work
        worked working works бухгалтер водител водитель врач дедлайн дизайнер заказчик зарплат зарплата инженер карьер
        карьера клиент коллег коллега компан компания медсестр медсестра менеджер начальник офис повар повышен повышение
        программист проект професс профессия работ работа работает работать работаю разработчик смен смена собеседован
        собеседование совещан совещание созвон стартап увол уволить учител учитель фирм фирма фриланс юрист""",
    8: """
        class colleg college degre degree exam exams grade homework languag language learn learning lectur lecture
        professor school semest semester student studi studied studies study studying thesi thesis universiti university
        дипл диплом диссертац диссертация домашк домашка зачет институт колледж контрольн контрольная курс лекц лекция
        оценк оценка преподавател преподаватель профессор семестр студент университет урок уч учеб учеба учится учиться
        учусь школ школа экзам экзамен язык""",
    16: """
        album band bass choir concert drum drums gig guitar jazz listen listening metal music opera piano playlist punk
        rap rock sing singer singing song songs techno vinyl violin альб альбом бараба барабаны гитар гитара групп
        группа джаз концерт мета метал музык музыка опер опера панк певец песн песня пет петь пианин пианино плейлист
        поет рок рэп скрипк скрипка слуша слушает слушать техн техно фортепиа фортепиано хор""",
    32: """
        boardgam boardgame boss chess consol console coop game gamer games gaming level minecraft mmo multiplay
        multiplayer nintendo playstat playstation poker quest raid rpg shooter speedrun steam tetri tetris xbox zelda
        босс геймер игр игра играет играть играю игры квест консол консоль кооп майнкрафт настолк настолка настолки
        плейстейшн поигра поиграть покер приставк приставка рейд рпг тетрис уровен уровень шахмат шахматы шутер""",
    64: """
        actor actress anim anime cartoon cinema comedi comedy director documentari documentary episod episode film films
        horror movi movie movies netflix season seri series thriller trailer watch watching актер актрис актриса аним
        аниме кин кино комед комедия мультик мультфильм посмотрет посмотреть режиссер сезон сер сериа сериал серия смотр
        смотрет смотреть смотрит трейлер триллер ужас ужастик ужасы фильм фильмы""",
    128: """
        author book books comic fiction librari library manga novel poem poet poetri poetry read reading reads writer
        автор библиотек библиотека книг книга книги комикс манг манга писател писатель поэз поэзия поэт прочита
        прочитать рассказ рома роман стих стихи фантастик фантастика чита читает читать читаю""",
    256: """
        basketbal basketball bike boulder bouldering climb climbing cycl cycling fit fitness footbal football gym hike
        hiking hockey jog leagu league marathon match run running runs ski skiing snowboard soccer sport sports surf
        swim swimming team tenni tennis volleybal volleyball workout yoga баскетбол бассейн бег бега бегать велосипед
        волейбол зал йог йога команд команда лиг лига лыж лыжи марафон матч плава плавать поход пробежк пробежка серфинг
        скалолазан скалолазание сноуборд спорт теннис тренирова тренироваться тренировк тренировка фитнес футбол хокк
        хоккей""",
    512: """
        abroad airport beach fli flies flight fly flying holiday holidays hostel hotel journey luggag luggage passport
        plane tour tourist train travel traveling travelling travels trip vacat vacation visa visit visited аэропорт
        багаж виз виза гостиниц гостиница заграниц заграница каникул каникулы лет летет лететь летит отел отель отпуск
        паспорт пляж поезд поездк поездка путешеств путешествие путешествова путешествовать рейс самолет тур турист
        хостел""",
    1024: """
        address apart apartment balconi balcony citi city countri country flat garden home hous house landlord live
        lives living move moved moving neighbor neighbour rent room roommat roommate street town villag village адрес
        аренд аренда балкон город деревн деревня дом жив живет живу жит жить квартир квартира комнат комната переезд
        перееха переехать сад сосед соседк соседка стран страна улиц улица""",
    2048: """
        bird cat cats dog dogs fish hamster hors horse kitten leash lizard parrot pet pets poodl poodle puppi puppy
        rabbit retriev retriever snake turtl turtle vet ветеринар животн животное зме змея кот котенок кошк кошка кролик
        лошад лошадь пес питомец поводок попуга попугай птиц птица собак собака хомяк черепах черепаха щенок ящериц
        ящерица""",
    4096: """
        aunt babi baby boyfriend brother child children cousin dad daughter famili family father girlfriend grandfath
        grandfather grandma grandmoth grandmother grandpa husband kid kids marri marriag marriage married mom mother mum
        nephew niec niece parent parents partner sibl sibling sister son uncl uncle wed wedding wife бабушк бабушка брат
        девушк девушка дедушк дедушка дет дети доч дочк дочка дочь дяд дядя жен жена женат замуж замужем малыш мам мама
        мат мать муж отец пап папа парен парень племянник племянниц племянница ребенок родител родители свадьб свадьба
        сем семья сестр сестра сын тет тетя""",
    8192: """
        allerg allergi allergic allergy glass glasses hair height insomnia sleep sleeping sleeps tall tattoo tire tired
        wake аллерг аллергия бессонниц бессонница волос волосы очк очки просыпа просыпаться рост сон спат спать спит
        татуировк татуировка уста устал""",
    16384: """
        android app bug code coding comput computer gpu iphon iphone java javascript keyboard laptop linux mac monitor
        pc phone program programming python rust softwar software websit website window windows айфон андроид баг
        видеокарт видеокарта винд винда клавиатур клавиатура код кодить компьютер линукс монитор ноутбук питон приложен
        приложение программирова программирован программирование программировать сайт софт телефон""",
}
