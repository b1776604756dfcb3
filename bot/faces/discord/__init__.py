"""Discord: what is heard there becomes ours, and what the bot says goes there."""
