"""Pictures: four at most, eight megabytes together, of the kinds that models see."""

import pytest

from bot.chat.reply import MOST_BYTES, MOST_IMAGES, images_for
from bot.llm.operation import Image

PNG = Image(b"png", "image/png")


def test_pictures_of_the_message_come_before_those_of_the_one_replied_to() -> None:
    replied = [Image(bytes([number]), "image/webp") for number in range(MOST_IMAGES)]
    assert images_for([PNG], replied) == (PNG, *replied[: MOST_IMAGES - 1])


def test_pictures_together_stay_within_the_limit_and_a_smaller_one_still_goes() -> None:
    large = Image(b"x" * (MOST_BYTES - 2), "image/jpeg")
    assert images_for([large, PNG, Image(b"xy", "image/gif")], []) == (large, Image(b"xy", "image/gif"))
    assert images_for([Image(b"x" * (MOST_BYTES + 1), "image/png")], [PNG]) == (PNG,)


@pytest.mark.parametrize("media_type", ["image/svg+xml", "video/mp4", "text/html", "", "image/png2"])
def test_what_no_model_sees_is_left_out(media_type: str) -> None:
    assert images_for([Image(b"x", media_type), Image(b"", "image/png")], [PNG]) == (PNG,)


def test_the_kind_is_read_as_servers_write_it() -> None:
    assert images_for([Image(b"png", "IMAGE/PNG; charset=binary")], []) == (PNG,)
