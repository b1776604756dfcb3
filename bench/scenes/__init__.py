"""Guilds that talk for weeks and then ask: whether the prompt of the reply holds all that a right answer needs."""
