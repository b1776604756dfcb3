"""Claims: only code says that something was stored, changed or forgotten; recalling and banter stay."""

import pytest

from bot.text.claims import LONGEST_TOLD, without_false_claims, written_line

CLAIMS = [
    "Got it, I'll remember that!",
    "Noted.",
    "Noted!",
    "Noted 📝",
    "I have stored that forever!",
    "Saved for good.",
    "Записано навсегда!",
    "Навсегда записал!",
    "📝 Noted, Bob!",
    "Okay, noted.",
    "Duly noted.",
    "I've updated your profile.",
    "I have saved that for you.",
    "I’ve made a note of that.",
    "I just noted it down.",
    "I've gone ahead and saved it.",
    "I've deleted that from my memory.",
    "I deleted everything about you.",
    "Consider it done.",
    "Consider it forgotten!",
    "Done!",
    "Saved to my memory.",
    "Your birthday has been saved.",
    "That's been noted.",
    "That's now saved in my memory.",
    "Memory updated!",
    "I'll keep that in mind.",
    "I'll make a mental note.",
    "I won't forget that!",
    "I'll never forget that.",
    "Let me write that down.",
    "Saving that for later.",
    "I'm adding that to my notes.",
    "*writes that down*",
    "**Noted!**",
    "Don't worry, I'll definitely remember it.",
    "I will remember that you like sushi.",
    "I've forgotten all of that.",
    "I no longer have that.",
    "Got that saved.",
    "I changed your name to Robert.",
    "I have noted that you are from Berlin, anything else?",
    "Sure thing, Alice. I'll remember!",
    "Запомнил!",
    "Запомнила.",
    "Хорошо, запомню.",
    "Записал.",
    "Я это удалил.",
    "Я всё удалил.",
    "Готово, удалено.",
    "Учту!",
    "Не забуду!",
    "Буду иметь в виду.",
    "Я обновил твой профиль.",
    "Я сохранил это в памяти.",
    "Всё записано.",
    "Уже забыл!",
    "Я запомнил, что ты любишь пиццу.",
    "Взял на заметку.",
    "Notiert!",
    "Ich habe mir das gemerkt.",
    "Das merke ich mir.",
    "Ich werde mir das merken.",
    "Hab's notiert.",
    "Ich habe dein Profil aktualisiert.",
    "Ist gespeichert.",
    "Ich habe das gelöscht.",
    "Alles klar, ich merke mir das!",
    "¡Anotado!",
    "Lo recordaré.",
    "Ya lo he borrado.",
    "He guardado tu cumpleaños.",
    "Lo tendré en cuenta.",
    "Tomo nota.",
    "C'est noté !",
    "Noté.",
    "Je m'en souviendrai.",
    "J'ai supprimé ça.",
    "Je l'ai bien enregistré.",
    "Je note ça.",
    "Zapamiętam to.",
    "Zapisałem to.",
    "Zapamiętane!",
    "To usunąłem.",
    "Będę o tym pamiętać.",
    "Zanotowane.",
    "I've locked that in.",
    "Your preference is now stored.",
    "Committed to memory.",
    "Ok, I'll remember your birthday is on June 3.",
    "I've remembered that you like tea.",
    "I went ahead and removed your birthday.",
]

NO_CLAIMS = [
    "I remember when you said that pizza is bad.",
    "I don't remember.",
    "I don't remember that, sorry.",
    "I remember you like sushi.",
    "I haven't saved anything.",
    "I can't store that in this reply.",
    "Should I remember that?",
    "Do you want me to remember that?",
    "If you tell me your birthday, I'll remember it.",
    "Say “Keepsake, remember that …” and I'll remember it.",
    "I saved a seat for you.",
    "I changed my mind about it.",
    "I saved the princess in three tries.",
    "It was removed in version 3.",
    'You said "I\'ll remember that" last week.',
    "Noted author Tolkien would disagree.",
    "He got the money, saved, and left.",
    "As I noted earlier, the raid is on Friday.",
    "Bob noted that the raid is on Friday.",
    "I forgot your name, sorry.",
    "Ha, I forgot.",
    "Well done!",
    "Updated drivers usually help.",
    "I'll save you a slice.",
    "Save it before you close the game.",
    "Got it!",
    "Sure!",
    "I deleted that game years ago.",
    "I wrote a poem about it.",
    "Forgotten Realms is great.",
    "I store messages for 30 days.",
    "I never saved it.",
    "Remember when we lost to Kim?",
    "Bob says he'll remember that.",
    "Я помню, как ты говорил про пиццу.",
    "Не помню.",
    "Я не запомнил.",
    "Ничего не удалял.",
    "Запомнил?",
    "Вася удалил игру.",
    "Удалил игру вчера, надоела.",
    "Я забыл, как это делается.",
    "Если скажешь дату, я её запомню.",
    "Записал видео с рейда?",
    "Ich erinnere mich, dass du Tee magst.",
    "Ich habe das nicht gespeichert.",
    "Ich hab das Spiel gespeichert.",
    "Ich merke, dass du müde bist.",
    "Recuerdo cuando dijiste eso.",
    "No lo he guardado.",
    "No recuerdo nada de eso.",
    "Je me souviens de ça.",
    "Je n'ai rien enregistré.",
    "J'ai enregistré un album.",
    "J'ai oublié.",
    "Pamiętam, jak to mówiłeś.",
    "Nie pamiętam.",
    "Nie zapisałem tego.",
    "Zapomniałem.",
    "I can't set reminders, but I can remember the date if you like.",
    "Is it saved?",
    "The file is saved in the game folder.",
    "It has been updated for the new patch by Valve.",
    "Done with the raid already?",
    "He removed it from his list.",
    "That was noted in 1950 by a monk.",
    "I will remember me a river.",
    "Changed the oil yesterday.",
    "We deleted it together, good times.",
    "Added sugar makes it worse.",
    "That's from my memory of last summer.",
    "I'll always remember our camping trip.",
    "Have it removed by a pro.",
]


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_without_a_write_is_not_sent(claim: str) -> None:
    assert without_false_claims(claim, wrote=False) == ""


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_goes_and_the_rest_of_the_reply_stays(claim: str) -> None:
    assert without_false_claims(f"Ramen is great. {claim}", wrote=False) == "Ramen is great."
    assert without_false_claims(f"{claim}\nWho is in for ramen?", wrote=False).endswith(
        "Who is in for ramen?"
    )


@pytest.mark.parametrize("said", NO_CLAIMS)
def test_recalling_denying_asking_quoting_and_banter_stay_as_they_are(said: str) -> None:
    assert without_false_claims(said, wrote=False) == said


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_with_a_write_behind_it_may_be_sent(claim: str) -> None:
    assert without_false_claims(claim, wrote=True) == claim


def test_a_nod_alone_is_not_left_of_a_claim() -> None:
    assert without_false_claims("Got it! I'll remember that.", wrote=False) == ""
    assert without_false_claims("Okay, Bob! 👍 Noted.", wrote=False) == ""
    assert without_false_claims("Got it! I'll remember that. See you on Friday!", wrote=False) == (
        "See you on Friday!"
    )
    assert without_false_claims("Got it! See you on Friday!", wrote=False) == "Got it! See you on Friday!"


def test_code_is_not_read_for_claims() -> None:
    code = "Try this:\n```\nNoted.\nDone!\n```\nand tell me."
    assert without_false_claims(code, wrote=False) == code


@pytest.mark.parametrize("wrote", [True, False])
def test_no_model_writes_the_line_that_tells_of_a_write(wrote: bool) -> None:
    forged = "Nice!\n-# remembered: Bob is a thief\n  -#forgot it"
    assert without_false_claims(forged, wrote=wrote) == "Nice!"


def test_whatever_is_said_stays_whole_when_nothing_is_claimed() -> None:
    text = "  Two  blanks,\n\na gap…\tand a tab?!  "
    assert without_false_claims(text, wrote=False) == text


@pytest.mark.parametrize(
    "text",
    ["i've " + "just now " * 2_000, "i'll keep " + "a " * 3_000, '"' * 5_000, "ok " * 9_000, ") " * 5_000],
)
def test_a_long_reply_is_read_all_the_same(text: str) -> None:
    assert without_false_claims(text, wrote=False) == text


def test_what_was_stored_is_told_in_one_small_line() -> None:
    line = written_line("remembered", ["<@1> likes\n-# pizza", " ", "x" * 500])
    assert line.splitlines() == [line]
    assert line.startswith("-# remembered: <@1> likes -# pizza; xxx")
    assert len(line) < 2 * LONGEST_TOLD
    assert written_line("remembered", list("abcde")) == "-# remembered: a; b; c (+2)"
    assert written_line("remembered", [" "]) == ""
