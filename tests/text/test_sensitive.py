"""Nothing is said of health, religion, politics, orientation or money; of work, mood and hobbies all is."""

import pytest

from bot.text.sensitive import says_sensitive, without_sensitive

SENSITIVE = """
She was diagnosed with diabetes.
He talked about his therapist.
They are pregnant and told nobody.
He is out of the hospital.
She takes medication for it.
He goes to church every Sunday.
She is a muslim and fasts in Ramadan.
He voted for the conservatives.
She was at the protest downtown.
He came out as gay.
She is bisexual.
He is in debt and cannot pay the loan.
Her salary was raised to 70k.
He is broke until Friday.
Он болеет уже неделю.
У неё диагностировали депрессию.
Она ходит к психотерапевту.
Он православный и ходит в церковь.
Она голосовала на выборах.
Он был на митинге.
Он гей.
У него долги и ипотека.
Ей подняли зарплату.
Он лежит в больнице.
""".strip().splitlines()

EVERYDAY = """
He was tired and stressed after work.
She started a new job at TechCorp and is excited.
He went to the gym three times this week.
She is in a bad mood because the deploy broke the build at night.
He likes Italian food and hiking.
She plays the guitar and will visit Berlin on Friday.
He complained about the weather and missed his train.
They argued about tabs and spaces.
She got a kitten named Miso.
He won the chess tournament.
He is a vegetarian and bakes bread.
Она устала и мало спала.
Он нашёл новую работу и рад этому.
Она играет на гитаре и гуляет с собакой.
Он поехал к бабушке на дачу.
Они спорили о новой версии игры.
Он взял выходной и смотрел футбол.
Она помогла <@15> починить ноутбук.
""".strip().splitlines()


@pytest.mark.parametrize("sentence", SENSITIVE)
def test_what_nobody_wants_to_read_about_themselves_is_found(sentence: str) -> None:
    assert says_sensitive(sentence)
    assert without_sensitive(f"He likes tea. {sentence} He has a dog.") == "He likes tea. He has a dog."


@pytest.mark.parametrize("sentence", EVERYDAY)
def test_everyday_matters_pass(sentence: str) -> None:
    assert not says_sensitive(sentence)
    assert without_sensitive(sentence) == sentence


def test_a_text_of_such_sentences_alone_is_empty() -> None:
    assert without_sensitive("He has cancer. He is in debt!") == ""
