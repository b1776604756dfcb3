"""English sentences in the third person that say what can hold one value at a time, by their keys."""

import re
from typing import Final

from bot.text.en.extraction import PARTS as JOBS
from bot.text.en.words import MONTH, WEEKDAY
from bot.text.languages import rows

PARTS: Final = dict(rows(rf"""
x: <@!?\d+>
lately: (?:(?:has|have|had|just|recently|finally|now|currently|actually|also|still|always|originally) )*
capital: (?-i:[A-Z\d\u00c0-\u00de\u0400-\u042f]|<@)
proper: (?:the )?{{capital}}\S*(?: (?:of |de |the |and )?{{capital}}\S*){{0,3}}
place: (?!(?:an?|my|his|her|their|our|some|this|that|there|here|the (?:same|new|next|other|city|country|suburbs
    |countryside))\b)(?:the )?\w[\w'.-]*(?:,? \w[\w'.-]*){{0,3}}?
since: (?: (?:(?:last|this|next) \w+|(?:in the (?:week|month) of|on|in) \d{{4}}[\d-]*
    |in (?:{MONTH}|\d{{4}})(?: \d{{4}})?|on \S+|since .+|\w+ (?:\w+ )?ago|recently|now
    |again|for good|already))?
day: (?:(?:next |this |coming )?{WEEKDAY}s?|{MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?
    |(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: (?:of )?{MONTH}(?:,? \d{{4}})?)|\d{{4}}-\d\d-\d\d
    |(?:the )?\d{{1,2}}(?:st|nd|rd|th)|today|tomorrow|tonight)
iso: (?:,? \d{{4}}-\d\d-\d\d)?
clock: (?:\d{{1,2}}[:.]\d\d(?:\s*[ap]\.?m\.?)?|\d{{1,2}}\s*[ap]\.?m\.?|noon|midnight)(?: \w{{2,4}})?
number: [#$€£+]?\d[\d.,:/ -]*(?:\s*(?:k|m|km|kg|cm|%|€|\$|£|euros?|dollars?|pounds?|bucks|people|members|levels?|lbs?))?
    (?: (?:a|per|each) (?:month|year|week|day|hour))?
thing: (?P<thing>(?!(?:it|this|that|he|she|they|there|which|who|what|one|thing|name|favou?rite)\b)[\w'-]+
    (?: (?!(?:is|are|was|were|that|which|who|has|have)\b)[\w'-]+){{0,3}}?)
is: (?: is| are|'s| will be| has been)(?: (?:now|currently|actually|moved to|scheduled for|set to|set for))?
begins: (?:{{is}}| starts| begins| happens| takes place| meets| runs)
owner: (?:{{x}}'s )
value_now: (?P<value>\S+(?: (?!now$)\S+)?)(?: now)?
""")) | {"month": MONTH, "weekday": WEEKDAY, "jobs": JOBS["jobs"]}  # fmt: skip

SHAPES: Final = r"""
lives_in: {x} {lately}(?:moved|relocated|emigrated|is living|lives) (?:from {place} )?(?:back )?
    (?:over |out |down |up )?(?:to|in)
    \s(?P<value>{place})(?: from {place})?{since}
from: {x} {lately}(?:is|comes|came|hails) {lately}from (?P<value>{place})
from__town: {x}'s (?:hometown|home town|home country) is (?P<value>{place})
age: {x} {lately}(?:is|turned|turns) {lately}(?P<value>\d{1,3})(?: years?[ -]olds?| y\.?/?o\.?)?{since}
age__said: {x}'s age is (?P<value>\d{1,3})
relationship: {x} {lately}(?P<value>(?:is|got|was|became|has been) {lately}(?:happily )?(?:not )?(?:married|divorced
    |engaged|single|widowed|separated|a widow|a widower)(?: (?:to|with|from) \S+(?: \S+)?)?){since}
relationship__with: {x} {lately}(?P<value>is {lately}(?:in a relationship|dating|seeing someone|going out)
    (?: (?:with )?\S+(?: \S+)?)?|broke up(?: with \S+(?: \S+)?)?)
works_at: {x} {lately}(?:(?:started|began|is|got) (?:a (?:new )?job|working|to work|employed)|works|got hired|joined)
    \s(?:at|for|by) (?P<value>{proper}){since}
works_as: {x} {lately}(?:works as|is working as|got a job as|started (?:working )?as) an? (?P<value>[\w-]+
    (?: [\w-]+){0,2}?){since}
works_as__new: {x} {lately}(?:became|is becoming) an? (?P<value>{jobs}){since}
works_as__not: {x} {lately}(?P<value>(?:is|got) {lately}(?:retired|unemployed|between jobs|laid off)|retired){since}
vehicle: {x} {lately}(?:drives|is driving|rides) {lately}(?:an? (?!lot\b|bit\b|bus\b|truck for)|their )(?P<value>[\w-]+
    (?: [\w-]+){0,3}?){since}
vehicle__own: {x}'s (?:new |current )?(?:car|vehicle|motorbike|motorcycle)(?: is| is now)? (?P<value>(?:an? )?{proper})
diet: {x} {lately}(?:is|became|went|turned|has been) {lately}(?P<value>(?:not )?(?:an? )?(?:strict(?:ly)? )?(?:vegan
    |vegetarian|pescatarian|pescetarian|flexitarian|carnivore|omnivore))(?: (?:anymore|any more|again|now))?{since}
diet__meat: {x} {lately}(?P<value>(?:(?:doesn't|does not|no longer|never) eats? (?:any )?meat|eats meat)
    (?: (?:again|anymore|any more|now))?)
phone: {x}'s {lately}(?:new )?(?:phone|mobile|cell|telephone|cell ?phone)(?: number)? is (?:now )?(?P<value>[+\d].*)
email: {x}'s (?:new )?e-?mail(?: address)? is (?:now )?(?P<value>\S+@\S+)
address: {x} {lately}(?:lives at|moved to) (?P<value>\d+ .+)
address__said: {x}'s (?:new )?(?:home )?address is (?:now )?(?P<value>.+)
height: {x} {lately}is (?P<value>\d[\w.,' \"]*?) tall
called: {owner}(?:new )?{thing} is (?:now )?(?:called|named) (?:now )?{value_now}
called__name: {owner}(?:new )?{thing}(?:'s|(?<![s'])s) name is (?:now )?{value_now}
day: (?:{owner}|(?:the|our) )?{thing}{begins} (?:on |from )?(?P<value>(?:the )?{day}{iso}(?:,? (?:at )?{clock})?)
time: (?:{owner}|(?:the|our) )?{thing}{begins} at (?P<value>{clock})
amount: (?:{owner}|(?:the|our) ){thing}{is} (?P<value>{number})
who: (?:{owner}|(?:the|our) ){thing}{is} (?P<value>{proper})
"""
"""`thing` is part of the key. What follows `__` in a name only tells rows of one key apart."""

_ARTICLE: Final = re.compile(r"^(?:the|our|an?|my|new) ")


def first_form(thing: str) -> str:
    """Return a thing as keys have it."""
    return _ARTICLE.sub("", thing.lower())
