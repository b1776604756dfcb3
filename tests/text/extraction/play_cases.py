"""What is not meant: irony, laughter, play, songs, roles; and what the next message takes back."""

IRONIC = """
I love pizza lol
my name is john lmao
jk my favorite food is pizza
I live in Paris, just kidding
I love pizza /s
I love waking up at 5am 🙃
I'm so happy 🙄
my name is Batman
hello, I'm Batman
I work as a nurse haha
I love Mondays
I love traffic
I just love meetings
Oh great, I love waiting in line
Yeah right, I love olives
I love paying taxes
I love being ignored
I love it when my build breaks
I love pizza. Not!
I love olives, said no one ever
*I love pizza*
*laughs* my name is Gandalf
_dances_ I love pizza
~I love pizza~
I love pizza ;)
I love pizza :P
I love pizza xD
I like big butts and I cannot lie
my name is Inigo Montoya
hi, my name is Slim Shady
♪ I love rock and roll ♪
I love rock / so put another dime
la la la I love pizza
call me maybe
call me Ishmael
((my name is Gandalf))
[OOC] my name is John
as my character, I live in Paris
my character's favorite food is elves
I live in Hogwarts
I live in a yellow submarine
in my dreams, I live in Paris
imagine my name is John
let's say my name is John
I love pizza... as if
I'm tired, psych
I love mondays...
I am the doctor of love, and I love pizza hehe
in Soviet Russia, I like pizza
/me likes pizza
!play I love pizza
I love pizza <:kappa:123456789012345678>
шучу, я люблю пиццу
меня зовут Вася, шутка
я люблю пиццу лол
я люблю оливки ахахах
ага, конечно, я люблю понедельники
я люблю понедельники
я обожаю пробки
я люблю пиццу)))))
*танцует* меня зовут Гэндальф
мой персонаж: меня зовут Гэндальф
меня зовут Бонд
люблю грозу в начале мая
я люблю пиццу (сарказм)
ну да, конечно, я люблю экзамены
я живу в Хогвартсе
я люблю экзамены 🙃
рофл, я живу в Париже
""".strip("\n").splitlines()

TAKEN_BACK = """
jk
JK!
jk lol
lol jk
just kidding
kidding
haha just kidding
not
/s
🙃
nvm
scratch that
I was joking
jk, I hate pizza
шучу
да шучу я
шутка
не, шучу
прикалываюсь
""".strip().splitlines()

NOT_TAKEN_BACK = """
and you?
I also like tea
not only pizza
joking aside, what do you like?
шутки в сторону
""".strip().splitlines()
