"""The sentences of `../shared/data/language-cases.jsonl`, each played to the bot and judged by machine."""
