"""English messages, and what they tell about their author: keys with values, or nothing."""

TOLD: list[tuple[str, dict[str, str]]] = [
    # names
    ("my name is john", {"name": "john"}),
    ("My name is José", {"name": "José"}),
    ("my name is john and i like pizza", {"name": "john", "likes:pizza": "likes"}),
    ("MY NAME IS JOHN AND I LIKE PIZZA", {"name": "JOHN", "likes:pizza": "likes"}),
    ("my name is john smith", {"name": "john smith"}),
    ("My name's Zoë!", {"name": "Zoë"}),
    ("My real name is Jean-Luc O'Neill.", {"name": "Jean-Luc O'Neill"}),
    ("My name is Ludwig van Beethoven, nice to meet you", {"name": "Ludwig van Beethoven"}),
    ("My name is Nguyễn Văn An.", {"name": "Nguyễn Văn An"}),
    ("my name is 田中", {"name": "田中"}),
    ("my name is प्रिया", {"name": "प्रिया"}),
    ("my name is Ольга", {"name": "Ольга"}),
    ("My name is Jose\u0301", {"name": "José"}),
    ("my name is john nice to meet you", {"name": "john"}),
    ("Hi all, my name is Maria from Spain and I work as a nurse", {"name": "Maria", "works_as": "nurse"}),
    ("Hi everyone, I'm Maria", {"name": "Maria"}),
    ("Hello! My name is Al.", {"name": "Al"}),
    ("<@55> my name is John", {"name": "John"}),
    ("Bot, my name is Kim; I live in Seoul", {"name": "Kim", "lives_in": "Seoul"}),
    ("no thats not right i live in Bergen", {"lives_in": "Bergen"}),
    ("that isn't true, my name is Kim", {"name": "Kim"}),
    ("My name is Anna. What's yours?", {"name": "Anna"}),
    ("please call me Al", {"alias:al": "Al"}),
    ("hey im new here my name is Priya", {"name": "Priya"}),
    ("thats incorrect my name is Sara", {"name": "Sara"}),
    ("everyone calls me Doc", {"alias:doc": "Doc"}),
    ("my friends call me Tito", {"alias:tito": "Tito"}),
    # pronouns, place, work, birthday
    ("my pronouns are they/them", {"pronouns": "they/them"}),
    ("my pronouns r she/her", {"pronouns": "she/her"}),
    ("I use she / her pronouns", {"pronouns": "she/her"}),
    ("I live in Lyon", {"lives_in": "Lyon"}),
    ("i live in lyon now", {"lives_in": "Lyon"}),
    ("i live in ohio unfortunately", {"lives_in": "Ohio"}),
    ("I live in Lyon, France, and I like it", {"lives_in": "Lyon, France"}),
    ("I live in St. Louis.", {"lives_in": "St. Louis"}),
    ("I live in Lyon with my cat", {"lives_in": "Lyon"}),
    ("I'm based in New York City", {"lives_in": "New York City"}),
    ("I currently live in the UK, but I miss Spain", {"lives_in": "the UK"}),
    ("I work as a nurse", {"works_as": "nurse"}),
    ("I'm a software engineer at Google", {"works_as": "software engineer"}),
    ("I am an architect", {"works_as": "architect"}),
    ("im a nurse in Leeds", {"works_as": "nurse"}),
    (
        "i m from india and i m working as software engineer",
        {"from": "India", "works_as": "software engineer"},
    ),
    ("im a nurse in downtown seattle", {"works_as": "nurse"}),
    ("I'm a teacher in a school", {"works_as": "teacher"}),
    ("I work at Google", {"works_at": "Google"}),
    ("I work for a startup", {"works_at": "a startup"}),
    ("I'm studying physics at MIT", {"studies": "physics"}),
    ("im 19", {"age": "19"}),
    ("hi! im 27 btw", {"age": "27"}),
    ("im 19 and from lyon", {"age": "19", "from": "Lyon"}),
    ("hi im Tom, 27, from Oslo", {"name": "Tom", "age": "27", "from": "Oslo"}),
    ("my name is tom, 27 years old, i play bass", {"name": "tom", "age": "27", "plays:bass": "bass"}),
    ("my name is tom, from accounting", {"name": "tom"}),
    ("may 5 is my bday", {"birthday": "05-05"}),
    ("ive got 2 cats", {"pet:2 cats": "2 cats"}),
    ("im learning spanish rn", {"speaks:spanish": "spanish"}),
    ("i like cheese, from france", {"likes:cheese": "likes"}),
    ("im 34 and live in york", {"age": "34", "lives_in": "York"}),
    ("i was born in lyon and moved to oslo", {"lives_in": "Oslo"}),
    ("i grew up in york but then moved to leeds last year", {"lives_in": "Leeds"}),
    ("my pronouns are she/her pls", {"pronouns": "she/her"}),
    ("i live in oslo thx", {"lives_in": "Oslo"}),
    ("i moved to germany last yr", {"lives_in": "Germany"}),
    ("my name is tom bot", {"name": "tom"}),
    ("my name is tom not tim", {"name": "tom"}),
    ("i live in oslo now not york", {"lives_in": "Oslo"}),
    ("i like tea not coffee", {"likes:tea": "likes"}),
    ("i live in york bot", {"lives_in": "York"}),
    ("i loooove ramen", {"likes:ramen": "likes"}),
    ("i rly luv ramen rn", {"likes:ramen": "likes"}),
    ("i rly love ramen", {"likes:ramen": "likes"}),
    ("i dont rly like olives", {"likes:olives": "dislikes"}),
    ("i hate olives with a passion", {"likes:olives": "dislikes"}),
    ("my fav food is ramen rn", {"favorite:food": "ramen"}),
    ("my birthday is June 5", {"birthday": "06-05"}),
    ("My birthday is on the 5th of June, 1990", {"birthday": "1990-06-05"}),
    ("I was born on May 12", {"birthday": "05-12"}),
    ("my birthday is feb 29", {"birthday": "02-29"}),
    # age, pets, family, languages, where from, and the like
    ("I'm 27 years old", {"age": "27"}),
    ("i just turned 30", {"age": "30"}),
    ("I moved to Berlin in January", {"lives_in": "Berlin"}),
    ("I have a dog named Rex", {"pet:dog named rex": "a dog named Rex"}),
    ("i have a cat named mittens", {"pet:cat named mittens": "a cat named mittens"}),
    ("my dog's name is Rex", {"called:dog": "Rex"}),
    ("my dog is called Rex by the way", {"called:dog": "Rex"}),
    ("my favorite movie is Alien hands down", {"favorite:movie": "Alien"}),
    ("im a plumber btw", {"works_as": "plumber"}),
    ("my birthdays on the 12th of may!!", {"birthday": "05-12"}),
    ("I finally adopted a kitten", {"pet:kitten": "a kitten"}),
    ("I've got an older sister", {"family:older sister": "an older sister"}),
    ("im from Poland", {"from": "Poland"}),
    ("I speak German", {"speaks:german": "German"}),
    ("i play the bass", {"plays:bass": "bass"}),
    ("I'm left-handed", {"trait:left-handed": "left-handed"}),
    ("ive been vegan for 3 years", {"diet": "vegan"}),
    ("I'm 6'2", {"height": "6'2"}),
    ("I drive a Honda", {"vehicle": "Honda"}),
    ("I don't drink", {"habit:drink": "drink"}),
    ("I quit smoking", {"habit:quit smoking": "quit smoking"}),
    ("my timezone is CET", {"time_zone": "CET"}),
    ("im in pst so its late for me", {"time_zone": "pst"}),
    ("she/her btw", {"pronouns": "she/her"}),
    ("I'm obsessed with ramen", {"likes:ramen": "likes"}),
    ("I started working at Google last week", {"works_at": "Google"}),
    ("my bday is on the 4th of July", {"birthday": "07-04"}),
    # favourites
    ("my favorite food is pizza", {"favorite:food": "pizza"}),
    ("my favorite ice cream flavor is mint", {"favorite:ice cream flavor": "mint"}),
    ("my favourite ice cream flavour is mint", {"favorite:ice cream flavor": "mint"}),
    ("My favourite colour is definitely blue!", {"favorite:color": "blue"}),
    (
        "my fav band is Radiohead, my favorite movie is Alien",
        {"favorite:band": "Radiohead", "favorite:movie": "Alien"},
    ),
    ('My favorite movie is "2001: A Space Odyssey"', {"favorite:movie": "2001: A Space Odyssey"}),
    ("my favorite foods are pizza, pasta and sushi", {"favorite:food": "pizza, pasta, sushi"}),
    ("Ramen is my favorite food", {"favorite:food": "Ramen"}),
    ("my favorite food is pizza, but my wife's favorite is pasta", {"favorite:food": "pizza"}),
    ("my favorite food is pizza because it's cheesy", {"favorite:food": "pizza"}),
    ("my all-time favorite game is Half-Life 2", {"favorite:game": "Half-Life 2"}),
    ("my favorite language is C++", {"favorite:language": "C++"}),
    ("my favorite food is pizza, actually it's ramen", {"favorite:food": "ramen"}),
    ("My favorite food is pizza. No wait, it's ramen.", {"favorite:food": "ramen"}),
    ("my favorite color is red", {"favorite:color": "red"}),
    ("my favorite food is pudding", {"favorite:food": "pudding"}),
    ("my favorite hobby is fishing", {"favorite:hobby": "fishing"}),
    ("my favorite season is spring", {"favorite:season": "spring"}),
    ("my favorite movie is frozen", {"favorite:movie": "frozen"}),
    ("my favorite dish is fried rice", {"favorite:dish": "fried rice"}),
    ("my favorite kind of music is jazz", {"favorite:kind of music": "jazz"}),
    ("my favorite food is ramen no cap", {"favorite:food": "ramen"}),
    ("my fave color is teal what about u", {"favorite:color": "teal"}),
    ("my fav game rn is elden ring", {"favorite:game": "elden ring"}),
    ("my favourite food has always been pizza", {"favorite:food": "pizza"}),
    ("my favorite pokemon is pikachu obviously", {"favorite:pokemon": "pikachu"}),
    # likes and dislikes
    ("i hate mondays fr", {"likes:mondays": "dislikes"}),
    ("honestly i cant stand country music", {"likes:country music": "dislikes"}),
    ("not gonna lie i love pineapple pizza", {"likes:pineapple pizza": "likes"}),
    ("I like pizza", {"likes:pizza": "likes"}),
    ("i really love pizza 🍕", {"likes:pizza": "likes"}),
    ("I **love** pizza", {"likes:pizza": "likes"}),
    ("I like pizza and hate olives", {"likes:pizza": "likes", "likes:olives": "dislikes"}),
    ("I like pizza, but I don't like olives", {"likes:pizza": "likes", "likes:olives": "dislikes"}),
    ("I don't like olives", {"likes:olives": "dislikes"}),
    ("I don’t really like olives or anchovies", {"likes:olives": "dislikes", "likes:anchovies": "dislikes"}),
    ("I no longer like coffee", {"likes:coffee": "dislikes"}),
    ("I can't stand cilantro", {"likes:cilantro": "dislikes"}),
    ("I hate mondays", {"likes:mondays": "dislikes"}),
    ("I'm not a fan of horror movies", {"likes:horror movies": "dislikes"}),
    ("I'm a huge fan of Star Wars", {"likes:star wars": "likes"}),
    (
        "I like pizza, pasta, and sushi",
        {"likes:pizza": "likes", "likes:pasta": "likes", "likes:sushi": "likes"},
    ),
    ("I love mac and cheese", {"likes:mac and cheese": "likes"}),
    ("I like to cook", {"likes:cook": "likes"}),
    ("I enjoy hiking in the mountains", {"likes:hiking in the mountains": "likes"}),
    ("I love the ocean", {"likes:ocean": "likes"}),
    ("I love One Piece", {"likes:one piece": "likes"}),
    ("My brother hates olives, but I love olives", {"likes:olives": "likes"}),
    ("Do you like tea? I like coffee.", {"likes:coffee": "likes"}),
    ("I like coffee. I think she likes tea.", {"likes:coffee": "likes"}),
    ("I'm into nothing much. I prefer tea", {"likes:tea": "likes"}),
    ("> what do you like\nI like chess", {"likes:chess": "likes"}),
    ("I like tea. I don't like tea", {"likes:tea": "dislikes"}),
    # feelings
    ("I'm tired", {"feeling": "tired"}),
    ("I'm feeling tired", {"feeling": "tired"}),
    ("im so exhausted after work", {"feeling": "exhausted"}),
    ("I feel a bit lonely today", {"feeling": "lonely"}),
    ("I'm not tired", {"feeling": "not tired"}),
    ("I'm excited and nervous", {"feeling": "excited and nervous"}),
]

EVENTS: list[tuple[str, str]] = [
    ("I went to Rome yesterday", "<@7> went to Rome"),
    ("yesterday I went hiking with my sister", "<@7> went hiking with their sister"),
    ("I just finished my thesis!", "<@7> just finished their thesis"),
    ("I've just moved into my flat", "<@7> has just moved into their flat"),
]

NOTHING = """
hawaii like beaches are great
i just set my password to hunter2
i just set my password to hunter2 and my favorite food is [secret]
User prefers tea
John prefers tea
I like how Bob likes tea
my brother likes pizza
my wife and kids love pizza
Bob's favorite food is pizza
her name is Anna
my brother's birthday is June 5
my friend lives in Lyon
he said my name is john
he thinks my name is Bob
i bet my name is cursed
she says, I like pizza
Bob told me, my name is Rob
my mom always goes like, I love pizza
John: my name is John
"my name is john"
he wrote "i like pizza"
> my name is john
>>> my name is john
`my name is john`
```py
my name is john
```
my favorite editor is `vim`
do i like pizza
do you know my name is john?
my favorite food is pizza?
what's my name
my name is Anna?
I like pizza, don't you?
I might like pizza
maybe I like pizza
I probably like pizza
I'm thinking about it, I like pizza
I could love pizza
I would love pizza
I'd love a pizza
if I win, I love pizza
I love pizza if it's free
I may like pizza
perhaps my name is John
I guess I like pizza
I think I like pizza
I want to like pizza
I used to like pizza
I'm not John
my name is not John
my name isn't John
my name is not important
my name is hard to spell
my name is on the list
my name is mud
my name is out
my name is cursed
my cat is called home
I'm Done with this
I'm a bit tired of you all being late
I'm a fan
I'm the doctor
I'm a doctor, not a bricklayer
I'm not a lawyer, but this is illegal
I'm proud of you
I'm sorry
I'm happy to help
I'm glad you came
I'm excited to see you
I was tired
I love you
I love it
I like that
I like this one better
I love your work
I like the new version
I like the way it looks
I like it when it rains
I like when people cook
I like you guys
I like pizza more than pasta
I like to think so
I love to
I like, went home
I like totally hate it
I hate how slow it is
I love him
I love <@5>
I like https://example.com/pizza
I liked pizza
I love everything
my favorite food was pizza
my favorite food isn't pizza
my favorite food is pizza or pasta
my favorite part of the movie is the end
my favorite thing about you is everything
my favorite is pizza
my favorite game is crashing
my favorite game is broken
my favorite game is dead
my favorite game is down again
my favorite player is washed
my favorite team is winning
my favorite streamer is banned
my favorite streamer is online
my favorite food is so expensive
my favorite place is closed
my favorite day is tomorrow
my favorite person is you
in Paris, my favorite food is snails
when I was a kid, I loved pizza
I live in denial
im a farmer in stardew
i just got married in sims
i just bought a house in skyrim
i bought a car in forza
i moved to goldshire
i just moved to whiterun
i went to mid and died
i just got killed
i went to hell and back
i got promoted to diamond
im a farmer at stardew valley
im a pilot in microsoft flight sim
i work as a doctor in roblox
I live in fear
I live in a small town
I live in my car
I live with my parents
I don't live in Lyon
I used to live in Lyon
I work at night
I work hard
I'm studying for my exam
my birthday is soon
my birthday is tomorrow
my birthday is feb 30
i work for a living
im a teacher at hogwarts
im an ex teacher
i don't like star trek, i love it
ive been vegan curious
im 12 years old and what is this
my fav color is whatever
im into bdsm
i bought a house in monopoly
i went on a rampage
I went ahead and did it
I went crazy
I went there
I just want to sleep
I just got an error message
I just told you
I have a dog in this fight
I have a dog named after my grandpa
I have a dog called by the vet
I hate Bob
i hate black people
i hate old people
i like older men
i love anna
i love sarah shes the best
I'm into you
I'm from work
I moved to arch
I moved to the back
I turned 90 degrees
I'm 30 minutes late
im 60
im 19 in the queue
im 20-0 today
im 17 in game
im 13th
im 50 50 on it
i like the bot
may i say that i like tea
i love mondays not
i love that bot
my name is bot
he was born in lyon and moved to oslo
i was born in a barn and moved to tears
I drive a hard bargain
I speak fluent sarcasm
I play with fire
I'm married to my job
my wife is called away
he/she
I used to play the bass
my friend plays the bass
I don't speak German
I passed the test environment config
call me when you are home
call me later
people call me Crazy
my pronouns are important to me
I have depression
I love Jesus
I'm a catholic and I love Trump
I just got back from my therapist
I went to the doctor
I went to church
I work at a hospital
I live in a psychiatric ward
my favorite politician is Biden
my salary is 5000
Bob and his wife like pizza
we like pizza
people like pizza
~~my name is John~~
||my name is John||
my name is ||John||
my phone is +1 555 123 4567 and my favorite card is 4111 1111 1111 1111
""".strip("\n")
