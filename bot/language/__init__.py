"""Questions to language models, each with its written fallback."""
