"""What an installation does with what it is told, as far as its settings say so: nothing that members need not know."""

from dataclasses import dataclass
from typing import Self

from bot.language.building import access_of, plan_of
from bot.language.chain import ModelName, parse_chain
from bot.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Practice:
    """How long things are kept, what is made of them, who else sees them, and who answers for it.

    Days of 0 are for ever, where it is not said otherwise.
    """

    retention_days: int
    """Of messages, where a guild chose nothing."""
    fact_days: int
    profile_days: int
    episode_days: int
    learns: bool
    """Whether profiles are learned."""
    leaves_episodes: bool
    models: tuple[str, ...]
    """The models that get parts of what is said, as settings name them."""
    perhaps_unpaid: tuple[str, ...]
    """Those of Google's own address for which no price is set: what they get may be Google's to learn from."""
    grace_days: int
    """After which all is erased that is kept of whoever left; 0: at once."""
    contact: str
    """How to reach whoever runs the bot; may be empty."""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return what `settings` say. Raises `ValueError` for models that cannot be named so."""
        models = _models_of(settings)
        prices = plan_of(settings).prices
        return cls(
            retention_days=settings.retention_days,
            fact_days=settings.fact_retention_days,
            profile_days=settings.profile_retention_days,
            episode_days=settings.episode_retention_days,
            learns=settings.learning and bool(models),
            leaves_episodes=settings.episodes and bool(models),
            models=tuple(map(str, models)),
            perhaps_unpaid=tuple(
                str(model)
                for model in models
                if model.provider == "google"
                and settings.gemini_base_url is None
                and (model not in prices or not (prices[model].input or prices[model].output))
            ),
            grace_days=settings.left_member_grace_days,
            contact=settings.operator_contact,
        )


def _models_of(settings: Settings) -> list[ModelName]:
    """Return every model that is named for anything and can be reached."""
    access = access_of(settings)
    chains = (
        settings.model_chat,
        settings.model_summary,
        settings.model_memory,
        settings.model_learning or "",
    )
    named = dict.fromkeys(model for chain in chains for model in parse_chain(chain))
    return [model for model in named if model.provider in access]
