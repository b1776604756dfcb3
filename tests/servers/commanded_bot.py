"""A real client with commands of every kind, menus, buttons that survive a restart, and forms."""

import io
import re

import discord
from discord import app_commands

from tests.servers.discord.fixtures import PlainBot


class MemoryBot(PlainBot):
    """A client with commands, menus, buttons that survive a restart, and forms."""

    def __init__(self) -> None:
        super().__init__()
        self.tree.add_command(memory)
        self.tree.add_command(echo)
        self.tree.add_command(think)
        self.tree.add_command(ponder)
        self.tree.add_command(note)
        for menu in (keep, who_is):
            self.tree.add_command(menu)
        self.add_dynamic_items(Page)

    async def setup_hook(self) -> None:
        await self.tree.sync()


@app_commands.command(name="echo", description="Say what was given")
async def echo(
    interaction: discord.Interaction,
    member: discord.Member | None = None,
    channel: discord.TextChannel | None = None,
    role: discord.Role | None = None,
    count: int = 0,
    loud: bool = False,
    text: str = "",
) -> None:
    named = [getattr(thing, "name", None) for thing in (member, channel, role)]
    await interaction.response.send_message(f"{named} {count} {loud} {text} {interaction.locale.value}")


memory = app_commands.Group(name="memory", description="Memories")
inner = app_commands.Group(name="deep", description="Deeper", parent=memory)


@memory.command(name="forget", description="Forget a fact")
async def forget(interaction: discord.Interaction, fact: str, member: discord.Member | None = None) -> None:
    await interaction.response.send_message(f"forgotten: {fact}", ephemeral=True)


@forget.autocomplete("fact")
async def _facts(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
    about = interaction.namespace.member
    return [app_commands.Choice(name=f"{typed}a of {about and about.id}", value=f"{typed}a")]


@inner.command(name="well", description="Very deep")
async def well(interaction: discord.Interaction) -> None:
    place = "a guild" if interaction.guild else f"private, as {interaction.context.dm_channel}"
    await interaction.response.send_message(place)


@app_commands.command(name="think", description="Take your time")
async def think(interaction: discord.Interaction) -> None:
    await interaction.response.defer(ephemeral=True, thinking=True)
    await interaction.followup.send("thought", file=discord.File(io.BytesIO(b"deep"), "deep.txt"))
    await interaction.followup.send("and more", ephemeral=True)
    await interaction.edit_original_response(content="thought well")


@app_commands.command(name="ponder", description="Take your time in public")
async def ponder(interaction: discord.Interaction) -> None:
    await interaction.response.defer(thinking=True)
    await interaction.edit_original_response(content="pondered")
    more = await interaction.followup.send("crumbs", wait=True)
    await more.delete()


class Note(discord.ui.Modal, title="A note"):
    text: discord.ui.TextInput["Note"] = discord.ui.TextInput(label="Text", default="empty", max_length=10)

    async def on_submit(self, interaction: discord.Interaction, /) -> None:
        if interaction.message is not None:
            await interaction.response.edit_message(content=f"noted: {self.text.value}")
        else:
            await interaction.response.send_message(f"noted: {self.text.value}")


@app_commands.command(name="note", description="Write a note")
async def note(interaction: discord.Interaction) -> None:
    await interaction.response.send_modal(Note())


@app_commands.context_menu(name="Remember this")
async def keep(interaction: discord.Interaction, message: discord.Message) -> None:
    view = discord.ui.View(timeout=None)
    view.add_item(Page(1))
    view.add_item(discord.ui.Button(label="Off", custom_id="off", disabled=True))
    view.add_item(discord.ui.Button(label="Dead", custom_id="dead"))
    await interaction.response.send_message(f"kept: {message.content}", view=view)


@app_commands.context_menu(name="Who is this?")
async def who_is(interaction: discord.Interaction, member: discord.Member) -> None:
    await interaction.response.send_message(
        f"{member.display_name}, here {len(member.roles)}", ephemeral=True
    )


class Page(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"page:(?P<number>\d+)"):
    """A button whose custom id holds all that it needs."""

    def __init__(self, number: int) -> None:
        super().__init__(discord.ui.Button(label=f"Page {number}", custom_id=f"page:{number}"))
        self.number = number

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction,
        item: discord.ui.Item[discord.ui.View],
        match: re.Match[str],
        /,
    ) -> "Page":
        return cls(int(match["number"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        view = discord.ui.View(timeout=None)
        view.add_item(Page(self.number + 1))
        await interaction.response.edit_message(content=f"page {self.number}", view=view)


class FormButton(discord.ui.View):
    """A button that opens a form."""

    @discord.ui.button(label="Note")
    async def open(self, interaction: discord.Interaction, _: discord.ui.Button["FormButton"]) -> None:
        await interaction.response.send_modal(Note())
