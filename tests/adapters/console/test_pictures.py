"""A picture that is attached is shown to a model that sees, also when somebody replies to it."""

from pathlib import Path

from pydantic import SecretStr

from bot.adapters.console.session import open_session
from bot.core.settings import Settings
from tests.adapters.console.sessions import play_on
from tests.servers.gemini import GeminiServer

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc000000301010018dd8db0"
    "0000000049454e44ae426082"
)


async def test_the_pictures_of_a_message_and_of_the_one_replied_to_are_shown(
    address: str, tmp_path: Path
) -> None:
    picture = tmp_path / "cat.png"
    picture.write_bytes(PIXEL)
    async with GeminiServer() as gemini:
        gemini.answer("route", {"kind": "chat", "confident": True})
        gemini.answer("reply", {"text": "A cat."})
        settings = Settings(
            _env_file=None,
            database_url=SecretStr(address),
            gemini_api_key=SecretStr("key"),
            gemini_base_url=gemini.url,
        )
        async with open_session(settings) as session:
            transcript = f"/attach {picture}\n#general alice: look\n#general bob > 1: Bot, nice, isn't it"
            told = await play_on(session, transcript)
        (asked,) = gemini.requests_of("reply")
    assert told[1].reply == "A cat."
    assert len(asked.images) == 1
    assert "[image: cat.png]" in asked.prompt
