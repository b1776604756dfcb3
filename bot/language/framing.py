"""The only code that writes a tag into a prompt, and that escapes whatever goes between tags.

What people write is data: a message with `</fact>` in it, or a display name with a tag, stays text.
"""

import functools
from collections.abc import Iterable, Mapping

import jinja2
from markupsafe import Markup, escape

from bot import resources


def tag(name: str, /, *content: str, **attributes: str | None) -> Markup:
    """Return `content` between tags of this `name`; `None` attributes are left out, everything is escaped.

    Content that was itself made here (`Markup`) is taken as it is, so that tags can be nested.
    """
    written = "".join(
        f' {key}="{_attribute(value)}"' for key, value in attributes.items() if value is not None
    )
    body = Markup("").join(content)
    return Markup(f"<{name}{written}>{body}</{name}>")  # noqa: S704 - every part is escaped above


def lines(items: Iterable[Markup]) -> Markup:
    """Return `items` one below the other."""
    return Markup("\n").join(items)


def _attribute(value: str) -> Markup:
    return escape(" ".join(value.split()))


def render(template_name: str, given: Mapping[str, object]) -> str:
    """Return the prompt of the template `prompts/<template_name>.j2` with `given` put in.

    Plain strings are escaped on the way in; a name that the template uses and `given` lacks is an error.
    """
    return _environment().get_template(f"{template_name}.j2").render(given).strip() + "\n"


def has_template(template_name: str) -> bool:
    """Tell whether there is a template of this name."""
    return (resources.folder("prompts") / f"{template_name}.j2").is_file()


@functools.cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(resources.folder("prompts")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
