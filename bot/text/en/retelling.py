"""The English words of those who retell what others said: which of them need not stand in what was said."""

from typing import Final

WORDS: Final = """
little: struggle struggles struggled struggling accept accepted accepts accepting treat treated deal dealt said says
    say saying told tells tell telling talk talks talked talking chat chatted discuss discusses discussed discussing
    discussion mention mentions mentioned mentioning ask asks asked asking answer answered answers reply replied
    respond responded share shares shared sharing note noted remark remarked comment commented explain explained
    explains describe described add added adding report reported announce announced announcing inform informed
    update updated express expressed show showed shown shows suggest suggested suggests suggestion propose proposed
    proposes recommend recommended offer offered offers invite invited agree agreed agrees disagree decide decided
    decides decision decisions plan plans planned planning intend intends intended intention hope hopes hoped hoping
    want wants wanted wish wished expect expected need needs needed try tries tried trying attempt attempted think
    thinks thought believe consider considered considering wonder wondered seem seems seemed appear appears appeared
    look looks looked looking forward find found become became becoming get got getting gotten go goes going went
    gone come comes came coming make makes made making take takes took taken taking give gave given giving put keep
    keeps kept keeping let start starts started starting begin began begun begins beginning finish finished
    finishing end ended ending continue continued stop stopped do does done did doing work works worked working use
    used uses using have having had has be being been happen happened help helped helping helps spend spent spends
    bring brought set join joined joins joining leave left meet met meeting day days today tonight week weeks
    weekend month months year years time times morning afternoon evening night noon midnight early late earlier
    later recent recently soon previous last next past upcoming current currently now then again already still yet
    finally eventually initially afterwards meanwhile first second third daily weekly usual usually often sometimes
    always never regularly frequently repeatedly overall mostly mainly especially particularly generally also too
    well quite very really rather fairly pretty more most less fewer least much many several few various different other
    another others some any both together each every all whole part thing things something anything everything
    nothing someone people everyone somebody member members user users group server guild channel conversation
    conversations topic topics message messages question questions matter matters point way ways kind sort lot bit
    couple number idea ideas news detail details issue issues problem problems situation experience experiences
    event events activity activities interest interests interested interesting opinion personal about around
    regarding related including such like along across during while until since due because therefore however
    although though despite instead without within between among towards upon via per new newly old good great nice
    fine bad big small large long short high low own same only just simply even able unable ready available possible
    likely certain sure clear clearly briefly quickly feel feels felt feeling feelings mood emotional glad happy
    happily excited excitement excitedly enthusiastic enthusiasm thrilled delighted pleased proud relieved relief
    grateful thankful cheerful joyful content satisfied enjoy enjoyed enjoying enjoyable fun amused amusing tired
    exhausted exhausting sleepy weary drained stressed stressful stress worried worry worries anxious nervous
    frustrated frustrating frustration annoyed annoying irritated angry upset sad unhappy disappointed disappointing
    disappointment bored boring lonely overwhelmed busy calm relaxed relaxing confident curious surprised surprising
    hopeful optimistic pessimistic supportive support supported encouraging encouraged friendly positive negative
    rough tough hard difficult easy productive successful successfully good-humoured spirits congratulated
    congratulate congratulations thanked thank thanks welcomed greeted joked joking jokes laughed person friend
    friends colleague colleagues active actively engaged participate participated involved contact interact
    interacted exchanged exchange focus focused centered who which that whose whom arrange arranged organize
    organized organise organised prepare prepared preparing prefer prefers preferred preference remind reminded
    confirm confirmed confirms agreement promise promised recall recalled remember remembered learn learned learnt
    know knew known realise realised realize realized notice noticed hear heard watch watched see saw seen complain
    complained complaint mind reason result results outcome progress success attend attended attending care manage
    managed managing pass passed receive received receiving arrive arrived return returned returning change changed
    changes scheduled schedule hold held place handle handled handling responsible charge provide provided
    order ordered visit visited visiting stay stayed staying live lives lived run
    ran running build built create created call called calls named name play played plays playing i'll their theirs
    themselves himself herself itself
oneself: i we i'm we're
grave: failed fails flunked rejected dumped cheating
    steal steals stole stolen stealing theft thief thieves rob robbed robbery cheat cheats cheated cheating
    cheater lie lied lying liar betray betrayed betrayal confess confessed confesses confession admit admitted
    admits guilty guilt scam scammed scammer scamming fraud defraud hack hacked hacking hacker blackmail blackmailed
    threaten threatened threat threats harass harassed harassment bully bullied bullying abuse abused abusive
    assault assaulted attack attacked kill killed killing murder murdered rape raped stalk stalked stalking arrest
    arrested jail jailed prison convicted criminal crime crimes sued lawsuit drunk drugs dealer dealing addict
    addicted alcoholic fired sacked expelled banned ban kicked evicted bankrupt divorced divorce affair pregnant
    leaked leak leaking traitor racist sexist nazi pedophile creep idiot stupid hates hate hated fake faked fakes
    forged embezzled plagiarised plagiarized owes owe debt suicide suicidal gay lesbian trans bribe bribed corrupt
    spy spied spying sabotage sabotaged insulted humiliated beaten beats hit violence violent weapon gun poison
    poisoned smuggled vandalised vandalized ripped secretly porn naked nudes password passwords cancer depressed
    disease illness dying died dead
claims: says said say claims claimed claim tells told according alleges alleged reports reported mentions mentioned
    states stated accuses accused accuse thinks thought believes believed argues argued suggests suggested jokes
    joked writes wrote heard calls called asserts asserted insists insisted blames blamed teased
asked_about: asks asked ask asking wonders wondered wondering inquired enquired inquires questioned curious wants
    wanted know proposed proposes suggested suggests invited invites offered offers
refuses: no nope nah never wrong not false
affirms: yes yeah yep yup y sure ok okay absolutely definitely exactly correct right indeed certainly totally in
    deal agreed works great perfect fine
"""
SAME: Final = """
buy bought purchase purchased acquired
start started begin began beginning
end ended finish finished done wrapped complete completed
big large huge
vet veterinary veterinarian
exam exams test tests examination
teach taught teaching teacher
doctor dr physician
job jobs position role work
kid kids child children son daughter toddler
trip travel travelled traveled journey vacation holiday
fly flew flight flights
drive drove driving
write wrote written writing
read reading book books novel
run ran running jog jogged
sell sold selling
pay paid paying
build built building
break broke broken breaks
catch caught
choose chose chosen pick picked select selected
think thought
win won winning victory beat
lose lost losing loss defeat
fix fixed repair repaired solve solved resolve resolved
cook cooked cooking bake baked baking
eat ate eaten eating meal dinner lunch
drink drank drinking
swim swam swimming
sing sang sung singing
speak spoke spoken
sleep slept sleeping nap
send sent
grow grew grown
ride rode riding
adopt adopted adoption
photo photos photograph photographs picture pictures pic pics
phone smartphone mobile
computer pc laptop
gpu graphics videocard
flat apartment
film movie movies films
mum mom mother
dad father
grandma grandmother
cat kitten cats kittens
dog puppy dogs pup
car vehicle
bike bicycle cycling
money cash funds pay payment
boss manager
colleague coworker
team squad
dinner supper
reschedule rescheduled move moved postpone postponed shift shifted delay delayed push pushed
cancel cancelled canceled scrapped
meet met meeting meetup gathering
party celebration celebrate celebrated
birthday bday
lend lent borrow borrowed loan
repair fix mend
install installed set setup installing installation
deploy deployed deployment release released ship shipped
sick ill unwell
tired exhausted knackered wiped drained
garden gardening yard
paint painted painting
play played game games
raid raids raiding dungeon
practise practice practiced practising rehearse rehearsal
study studied studying studies revise revising
interview interviews
rent renting lease
move moved moving relocation relocate relocated
shop shopping store market
hike hiking hiked trek
train trained training workout gym
guitar instrument
vote voted poll
agree agreed deal
o'clock pm am
noon midday
evening tonight night
bring brings brought take
host hosts hosted hosting
dislike dislikes hate hates
like likes enjoy enjoys love loves fond
"""
CALENDAR: Final = """
weekday: monday|mon|mondays tuesday|tue|tues|tuesdays wednesday|wed|wednesdays thursday|thu|thurs|thursdays
    friday|fri|fridays saturday|sat|saturdays sunday|sun|sundays
month: january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sep|sept october|oct
    november|nov december|dec
"""
NUMERALS: Final = """
3: third
4: fourth
5: fifth
6: sixth
7: seventh
8: eighth
9: ninth
10: tenth
13: thirteen
14: fourteen
15: fifteen
16: sixteen
17: seventeen
18: eighteen
19: nineteen
20: twenty
30: thirty
40: forty
50: fifty
60: sixty
70: seventy
80: eighty
90: ninety
100: hundred
"""
