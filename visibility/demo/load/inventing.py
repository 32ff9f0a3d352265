"""Invented answers about invented brands, the same for the same seed."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from visibility.engines.protocol import Source
from visibility.services.imports.rows import ImportedAnswer

RIVALS = 4
DAYS = 10
ENGINES = ("chatgpt", "perplexity")
SAMPLES = 2
BRANDED_EVERY = 12
"""One prompt of so many names the brand."""
NEEDS = (
    *("hiking boots", "office chairs", "espresso machines", "trail bikes", "rain jackets", "desk lamps"),
    *("camping stoves", "running watches"),
)
WORDINGS = (
    *("Which {need} are the best?", "What {need} would you buy for a beginner?", "Recommend {need} that last."),
    *("Who makes good {need} at a fair price?", "Compare popular {need}."),
)
REASONS = (
    *("praised for its comfort", "long known for good service", "light and well made", "cheap for what it offers"),
    *("the choice of most testers", "repaired for ten years"),
)
SITES = ("gearreview.example", "buyersguide.example", "forum.example", "dailynews.example", "shopping.example")
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"


@dataclass(frozen=True, slots=True)
class World:
    """Whom answers are about: names of eight letters, the brand's first. Each has the domain that is spelt so."""

    names: tuple[str, ...]

    @property
    def brand(self) -> str:
        """The name of the brand."""
        return self.names[0]

    @property
    def rivals(self) -> Sequence[str]:
        """The names of its competitors."""
        return self.names[1:]


def world_of(dice: random.Random) -> World:
    """A brand and its competitors, no two of one name."""
    names: dict[str, None] = {}
    while len(names) <= RIVALS:
        syllables = (dice.choice(_CONSONANTS) + dice.choice(_VOWELS) for _ in range(4))
        names["".join(syllables).capitalize()] = None
    return World(tuple(names))


def domain_of(name: str) -> str:
    """The site of a brand or competitor."""
    return f"{name.lower()}.example"


def invented_answers(world: World, dice: random.Random, *, prompts: int, last: datetime) -> Iterator[ImportedAnswer]:
    """Ten days of answers up to the day of `last`: every prompt, engine and sample once a day."""
    questions = [_question(world, number) for number in range(prompts)]
    liking = {name: dice.uniform(0.15, 0.75) for name in world.names}
    for back in reversed(range(DAYS)):
        moment = datetime.combine(last.date() - timedelta(days=back), time(1, tzinfo=UTC))
        for question, need in questions:
            for engine in ENGINES:
                for sample in range(1, SAMPLES + 1):
                    text, sources = _answer(world, dice, need, liking)
                    moment += timedelta(milliseconds=200)
                    yield ImportedAnswer(question, engine, sample, moment, text, sources, topic=need)


def _question(world: World, number: int) -> tuple[str, str]:
    """The wording of a prompt, and its topic."""
    need = NEEDS[number % len(NEEDS)]
    if number % BRANDED_EVERY == BRANDED_EVERY - 1:
        return f"Is {world.brand} a good maker of {need}? ({number})", need
    wording = WORDINGS[number // len(NEEDS) % len(WORDINGS)].format(need=need)
    return (f"{wording} ({number})" if number >= len(NEEDS) * len(WORDINGS) else wording), need


def _answer(world: World, dice: random.Random, need: str, liking: dict[str, float]) -> tuple[str, tuple[Source, ...]]:
    """What an engine says, and the pages that it cites."""
    named = [name for name in world.names if dice.random() < liking[name]]
    dice.shuffle(named)
    lines = [f"{place}. **{name}** – {dice.choice(REASONS)}." for place, name in enumerate(named, start=1)]
    sites = [*dice.sample(SITES, dice.randint(0, 2)), *(domain_of(name) for name in named[:1] if dice.random() < 0.3)]
    path, title = need.replace(" ", "-"), f"{need.capitalize()} in a test"
    sources = tuple(Source(url=f"https://{site}/{path}", title=title) for site in sites)
    begin = f"These {need} are often recommended:" if lines else f"It depends on what you need {need} for."
    return "\n\n".join([f"### {need.capitalize()}", begin, "\n".join(lines), "Try them before you buy."]), sources
