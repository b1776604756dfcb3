"""What denies a fact, and what took its place."""

from typing import Final

from tests.memory.rights.forgetting.scenes import Case

NEGATIONS: Final = (
    Case(
        remember=["alice: I own cats", "alice: I don't own cats"],
        said=["alice: I own cats", "alice: I don't own cats"],
        told=["@alice owns cats.", "@alice doesn't own cats."],
        forget="alice: I don't own cats",
        facts=["@alice owns cats"],
        messages=[1],
        stays=[1],
    ),
    Case(
        remember=["alice: I own cats", "alice: I don't own cats"],
        said=["alice: I own cats", "alice: I don't own cats"],
        told=["@alice owns cats.", "@alice doesn't own cats."],
        forget="alice: I own cats",
        facts=["@alice doesn't own cats"],
        messages=[2],
        stays=[2],
    ),
    Case(
        remember=["alice: I eat meat"],
        said=["alice: I never eat meat", "alice: I eat meat"],
        told=["@alice never eats meat.", "@alice eats meat."],
        forget="alice: I eat meat",
        facts=["@alice doesn't eat meat"],
        messages=[1],
        stays=[1],
    ),
    Case(
        remember=["alice: I can't swim"],
        said=["alice: I swim every day", "alice: I can't swim", "bob: @alice can't swim"],
        told=["@alice can't swim.", "@alice can sing."],
        forget="alice: I can't swim",
        messages=[1],
        stays=[2],
    ),
    Case(
        remember=["alice: I own cats"],
        said=["alice: I don't mind, since I own cats", "bob: she has no dogs"],
        told=["@alice has no dogs, but owns cats."],
        forget="alice: I own cats",
        messages=[2],
    ),
    Case(
        remember=["alice: I speak Greek"],
        said=["alice: nobody here can speak Greek", "alice: I speak Greek"],
        told=["@alice doesn't speak Greek.", "@alice speaks Greek."],
        forget="alice: I speak Greek",
        messages=[1],
        stays=[1],
    ),
    Case(
        remember=["Маша: я не ем мясо"],
        said=["Маша: я ем мясо", "Маша: я не ем мясо"],
        told=["@Маша ест мясо.", "@Маша не ест мясо."],
        forget="Маша: я не ем мясо",
        messages=[1],
        stays=[1],
        about="Маша",
    ),
    Case(
        remember=["Маша: у меня нет машины"],
        said=["Маша: у меня машина", "Маша: у меня нет машины"],
        told=["У @Маша нет машины.", "У @Паша машина."],
        forget="Маша: у меня нет машины",
        messages=[1],
        stays=[2],
        about="Маша",
    ),
)

CORRECTED: Final = (
    Case(
        remember=["alice: my name is Zanzibarus", "alice: my name is Xylophonius"],
        said=["alice: my name is Zanzibarus", "alice: my name is Xylophonius"],
        told=["Her name is Zanzibarus.", "Her name is Xylophonius."],
        forget="alice: my name is Xylophonius",
    ),
    Case(
        remember=["alice: my name is Zanzibarus", "alice: my name is Xylophonius"],
        said=["alice: my name is Zanzibarus", "alice: my name is Xylophonius"],
        told=["Her name is Zanzibarus.", "Her name is Xylophonius."],
        forget="alice: my name is Zanzibarus",
        facts=["@alice's name is Xylophonius"],
        messages=[2],
        stays=[2],
    ),
    Case(
        remember=[
            "alice: my favorite food is ramen",
            "alice: my favorite food is pho",
            "alice: my favorite food is sushi",
        ],
        told=["Her favorite food is ramen.", "Her favorite food is sushi.", "Her favorite city is Lyon."],
        forget="alice: my favorite food is sushi",
        stays=[3],
    ),
    Case(
        remember=["alice: my favorite food is ramen", "alice: my favorite food is pho"],
        said=["alice: my favorite food is ramen", "bob > 1: is your favorite food ramen?"],
        told=["Her favorite food is ramen.", "Her favorite food is pho."],
        forget="alice: my favorite food is ramen",
        facts=["@alice's favorite food is pho"],
        stays=[2],
    ),
    Case(
        remember=["alice: I live in Lyon", "alice: I live in Porto"],
        told=["She lives in Lyon.", "She lives in Porto.", "She has visited Rome."],
        forget="alice: I live in Porto",
        stays=[3],
    ),
    Case(
        remember=["alice: I live in Lyon", "bob: alice lives in Porto"],
        said=["bob: alice lives in Porto", "bob: I live in Porto"],
        told=["@alice lives in Porto.", "@bob lives in Porto."],
        forget="alice: I live in Porto",
        facts=["@alice lives in Lyon", "@bob lives in Porto"],
        messages=[2],
        stays=[2],
    ),
    Case(
        remember=["Маша: меня зовут Ксенофонт", "Маша: меня зовут Аристарх"],
        told=["Её зовут Ксенофонт.", "Её зовут Аристарх.", "Она поёт."],
        forget="Маша: меня зовут Аристарх",
        stays=[3],
        about="Маша",
    ),
    Case(
        remember=["Маша: моё любимое блюдо — рамен", "Маша: моё любимое блюдо — плов"],
        told=["Её любимое блюдо рамен.", "Её любимое блюдо плов."],
        forget="Маша: моё любимое блюдо — рамен",
        facts=["у @Маша любимое блюдо — плов"],
        stays=[2],
        about="Маша",
    ),
)
