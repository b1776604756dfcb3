"""What people say of themselves and would not have told on, in careless words: a coarse sieve, and only the second.

The first is which kinds of facts are told at all (`harmless`). This one stands where what somebody asked to have
remembered, what a model wrote or what was said in a channel is told again.
"""

import re
from typing import Final

_MATTERS: Final = {
    "medicines": r"""
        [a-z]{3,}(?:zepam|zolam|oxetine|traline|opram|prazole|cillin|statin|sartan|olol|azine|apine|idone|triptan|codone)
        prozac|zoloft|lexapro|xanax|xans?|valium|ativan|klonopin|adderall|addy|ritalin|vyvanse|seroquel|lithium
        ozempic|wellbutrin|metformin|oxy\w*|percs?|percocet|morphine|opioids?|painkillers?|steroids|inhaler|dosage
        прозак\w*|ксанакс\w*|феназепам\w*|золофт\w*|антибиотик\w*|снотворн\w+|успокоительн\w+|обезбол\w+|инсулин\w*
        укол(?:ы|ов|а)?|капельниц\w+|таблы|табл[её]т\w+|кол[её]с(?:а|ах) (?:пью|жру|сижу)
        сижу на (?:таблетк|кол[её]с)\w+""",
    "the body": r"""
        (?:i|we|she|he) weighs? \d+|my weight|obese|overweight|chubby|anorexi\w+|bulimi\w+|bing(?:e|ed|ing)|purging
        puk\w+|throw(?:ing)? up|threw up|rash|biops\w+|tests? (?:came|were) (?:back )?positive|std|sti|herpes
        chlamydia|(?:my |missed (?:my )?|a late )period|period is late|knocked up|ultrasound|due date|ivf
        contracept\w+|condoms?|iud|nudes?|naked|virgin\w*|horny|hook(?:ed|ing)? up|slept with|sleeping with
        one[- ]night|onlyfans|fetish\w*|erection|psych ?ward|er visit|ambulance|bald(?:ing)?|scars?|месячн\w+
        задержк\w+ (?:месяч|две|три|уже)\w*|залетел\w*|две полоск\w+|узи|презерватив\w*|голы(?:е|м|ми)|переспал\w*
        девственни\w+|жирн(?:ый|ая|ой)|толст(?:ый|ая|ею)|вешу|анорекси\w+|булими\w+|блю|блевал\w*|рвот\w+|сыпь
        скор(?:ая|ую)""",
    "despair": r"""
        (?:kill|hang|shoot|drown|hurt|harm|unalive|off) (?:myself|himself|herself|themselves)|end(?:ing)? it all
        end(?:ing)? (?:my|his|her|their) life|cut(?:ting|s)? (?:myself|my (?:arms?|wrists?|thighs?|legs?)|again)
        (?:want|wanna|wanted|ready) to die|wanna die|wish i was(?:n't)? (?:dead|born)|better off without me
        overdos\w+|don'?t want to (?:live|be here|wake up|exist)|no reason to live|(?:mental|nervous) breakdown
        can'?t go on|поконч\w+ с собой|уб(?:ить|ью) себя|сдохнуть|подохнуть|не хоч(?:у|ет) жить|жить не хоч\w+
        надоело жить|резать? себя|реж(?:у|ет) (?:себя|руки|вены)|порезал\w* (?:себя|руки|вены)|вскры\w+ вены
        повеси\w+|выпил\w* пачку|ненавижу себя""",
    "quarrels": r"""
        divorc\w+|cheat(?:s|ed|ing) on|my ex|exes|custody
        (?:had|having) (?:a |an )?(?:\w+ )?(?:fights?|arguments?|row)
        (?:fight|fought|fighting|argu(?:ed|ing)|row|split(?:ting)?) (?:up )?with (?:my|his|her|their)|dumped|abus\w+
        (?:hits?|beats?|slapp\w+|chok\w+|scream\w*|yell\w*) (?:at )?(?:me|him|her|my)|restraining order|tinder
        grindr|ссор\w+|поссор\w+|поруга\w+|ругал(?:ся|ась|ись)|разв[её]л\w*|развод\w*|изменя\w+|изменил\w*
        любовни\w+|тиндер\w*|бь[её]т (?:меня|его|е[её]|мать|жену)|ударил\w* (?:меня|е[её]|его)|бросил\w* меня
        алимент\w+|скандал\w*|ненавиж\w+ (?:мать|отца|брата|сестру|мужа|жену)""",
    "drink and play": r"""
        relaps\w+|sober|hammered|hungover|blackout|booze|vodka|whisk(?:e)?y|stoned|high as|shrooms|molly|ketamine
        lsd|meth|fentanyl|heroin|opium|dealer|aa meeting|gambl\w+|casino|betting|бух(?:ал|аю|ает|ает|ло|ой)\w*
        забухал\w*|запо(?:й|е|я)\w*|напил(?:ся|ась)|нажр\w+|похмель\w+|бодун\w*|водк\w+|травк\w+|закладк\w+
        торч(?:ок|ит|у)|меф\w*|казино|ставк(?:и|ах)|проиграл\w* (?:все|зарплат|деньг)\w*|кодир\w+|бросил\w* пить""",
    "the law": r"""
        arrest\w*|probation|parole|in court|court date|lawsuits?|sued|suing|shoplift\w*|stole|stealing|dui|jails?
        prisons?|felon\w*|convict\w*|police|cops|bail|warrant|illegal\w*|undocumented|deport\w*|tax evasion|fraud
        lawyer said|арест\w*|задержали|полици\w+|менты|ментовк\w+|судим\w+|суд(?:а|у|ом|ился|илась)?|условк\w+
        условн(?:ый|ое) срок|тюрьм\w+|сид(?:ел|ела) (?:год|два|три|в тюрьме)|украл\w*|спёр\w*|спер(?:ла)?|взятк\w+
        кража|штраф\w*|адвокат сказал""",
    "pay": r"""
        (?:earn|earns|earning|make|makes|making|paid|pays|owes?|owed) (?:\w+ ){0,2}[$€£]?\d[\d.,]*k?
        \d[\d.,]*\s?(?:k|grand|bucks|dollars|euros?|pounds|rub(?:les)?) (?:a|per|in|of)|can'?t (?:afford|pay)
        paycheck|behind on (?:the )?(?:rent|bills?)|in the hole|maxed out|credit cards?|food stamps|foodbank
        food bank|laid off|got fired|got sacked|lost (?:my|his|her|their) job|получа(?:ю|ет) (?:\w+ )?\d+
        зарабатыва\w+|зп|оклад\w*|\d+ ?(?:к|тыс\w*|тыщ\w*|руб\w*|₽) (?:в месяц|в мес)|на мели|коллектор\w*|занял\w*
        задолж\w+|нечем платить|микрозайм\w*|рассрочк\w+|уволил\w*|сократили|без копейки|ни копейки""",
    "being away": r"""
        (?:nobody|no one|noone)(?:'s| is|s| will be)? (?:at|home|in|around)
        (?:house|flat|apartment|place) (?:is|will be|stays|sits) empty|empty (?:house|flat|apartment)|home alone
        alone at home|out of town|away (?:from home|until|till|all|for (?:a|the|two))|keys? (?:is|are) under
        under the (?:mat|doormat)|left the (?:door|window) (?:open|unlocked)|alarm code
        никого (?:не будет |нет )?дома|дома (?:никого|один|одна|пусто)|квартира (?:пуст\w+|стоит пуст\w+)
        пустая квартира|уезжа\w+ (?:до|на)|нас не будет|меня не будет|ключ(?:и)? под ковр\w+|под ковриком""",
    "insults": r"""
        bitch\w*|whore\w*|sluts?|assholes?|idiots?|morons?|bastards?|cunts?|retard\w*|losers?|scum|dickheads?
        creeps?|сук(?:а|и|ой)|твар\w+|мраз\w+|урод\w*|дебил\w*|идиот\w*|шлюх\w+|придур\w+|ублюд\w+|козел|козёл
        дур(?:а|ак)""",
}
"""Each line of a table holds words and phrases that stand for it; lines go on with one another."""

_ANY: Final = re.compile(
    rf"(?<![\w<@])(?:{'|'.join(line.strip() for table in _MATTERS.values() for line in table.strip().splitlines())})"
    r"(?!\w)"
)


def is_private_matter(text: str) -> bool:
    """Tell whether `text` speaks of medicines, the body, despair, quarrels, drink, the law, pay, absence or abuse."""
    return _ANY.search(text.lower().replace("’", "'")) is not None
