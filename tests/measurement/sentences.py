"""Generated texts with names that are words, for what labels of real answers lack.

TRAINING and TESTING share no word, invented name, sentence or description. Each text is a template filled with
words of the English list that are names here: behind the first word of a sentence in nine languages, in lists among
no, one or two invented names that mean nothing else, as heads of advice, within titles, and as units behind a number.
HOMONYMS are written by hand: a brand's description, and a text in which its name has another sense.
"""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Material:
    """What texts are made of. `words` are names that are words, `invented` mean nothing else; `openings` have a word
    with a capital before the name; `entries` are heads with their description, `frames` how a list writes them."""

    words: Sequence[str]
    invented: Sequence[str]
    description: str
    other: str
    question: str
    openings: Sequence[str]
    entries: Sequence[str]
    frames: Sequence[str]
    advice: Sequence[str]
    titles: Sequence[str]
    heads: Sequence[str]
    measures: Sequence[str]
    units: Sequence[str]


@dataclass(frozen=True, slots=True)
class Text:
    """A text, the names in it that are words, whether they are meant there, and what their subjects sell."""

    text: str
    names: Sequence[str]
    is_meant: bool
    description: str
    question: str = ""


TRAINING = Material(
    words=[
        "Harbor",
        "Lantern",
        "Meadow",
        "Copper",
        "Ember",
        "Compass",
        "Bridge",
        "Willow",
        "Anchor",
        "Pebble",
        "Summit",
        "Canvas",
        "Beacon",
        "Marble",
        "Velvet",
        "Saddle",
        "Timber",
        "Orchard",
        "Clover",
        "Feather",
    ],
    invented=["Norvika", "Zelura", "Brimsolt", "Tolvex", "Quandro", "Ostrelle"],
    description="Project planning software for teams, with tasks, calendars and reports",
    other="Organic dog food, treats and chews, shipped monthly",
    question="Which software helps small teams with planning?",
    openings=(
        "Choose {} for quality.",
        "Use {} when speed matters.",
        "With {} you save money.",
        "Although {} costs more, it lasts.",
        "Bei {} ist es günstiger.",
        "Mit {} geht es schneller.",
        "Wählen Sie {} für große Teams.",
        "Chez {}, les prix sont bas.",
        "Avec {} vous gagnez du temps.",
        "Choisissez {} pour une petite équipe.",
        "Con {} todo es más fácil.",
        "Elige {} si buscas calidad.",
        "Con {} si risparmia molto tempo.",
        "Scegli {} per una squadra piccola.",
        "Com {} você economiza tempo.",
        "Escolha {} para equipes pequenas.",
        "Met {} bespaar je veel tijd.",
        "Kies {} voor een klein team.",
        "Med {} sparar du mycket tid.",
        "Välj {} om du vill ha kvalitet.",
        "Dzięki {} oszczędzasz czas.",
        "Wybierz {} dla małego zespołu.",
    ),
    entries=(
        "easy to use and affordable",
        "great for larger teams with many projects",
        "strong reports and calendars",
        "simple tasks and a free plan",
        "known for its fast support",
        "good value, but few integrations",
    ),
    frames=(
        "{n}. {name} - {entry}",
        "{n}. **{name}**: {entry}",
        "- {name}: {entry}",
        "* **{name}** – {entry}",
        "{n}. {name}",
    ),
    advice=(
        "Consider how many projects you plan at once.",
        "Look for software that grows with your teams.",
        "Check what reports are included.",
        "Choose one that fits your calendar.",
        "Make sure that tasks are easy to move.",
        "Think about how much you want to spend.",
        "Decide how large it has to be.",
    ),
    titles=(
        "## How to Choose a {} for Your Home\n\nMany people ask for this before they start to plan.",
        "### The Right {} Size\n\nMeasure the room before you order anything.",
        "**Why Your {} Matters**\n\nIt changes how long the whole thing lasts.",
        "## Other Things: Weight, {} and Price\n\nThese decide how happy you will be.",
    ),
    heads=["Price", "Weight", "Material", "Warranty", "Color", "Design", "Power", "Storage", "Noise", "Comfort"],
    measures=("The tank holds 80 {}.", "It needs 12 {} at most.", "Set it to 5 {} and wait."),
    units=("dm", "PS", "MB", "KB", "AH"),
)

TESTING = Material(
    words=[
        "Basket",
        "Thunder",
        "Mirror",
        "Ribbon",
        "Cactus",
        "Kettle",
        "Harvest",
        "Garden",
        "Pillar",
        "Cotton",
        "Hammer",
        "Candle",
        "Tunnel",
        "Spider",
        "Lemon",
        "Rocket",
        "Magnet",
        "Puzzle",
        "Shadow",
        "Island",
    ],
    invented=["Axomira", "Veltrino", "Drasko", "Pelumax", "Yorvantis", "Hexalune"],
    description="Online shop for kitchen furniture, lamps and shelves, delivered to your door",
    other="Clinical trials of heart medicines and implants",
    question="Where do people buy shelves and lamps?",
    openings=(
        "Try {} if you need help fast.",
        "Consider {} as well.",
        "At {} you find more of them.",
        "While {} is cheaper, others are tougher.",
        "Bei {} gibt es mehr Auswahl.",
        "Auch {} bietet das an.",
        "Nutzen Sie {} am besten täglich.",
        "Chez {} on trouve tout cela.",
        "Essayez {} pendant un mois.",
        "En {} hay muchas más ofertas.",
        "Prueba {} durante unos días.",
        "Su {} trovi molte offerte.",
        "Prova {} per qualche giorno.",
        "Na {} há mais opções.",
        "Experimente {} por um mês.",
        "Bij {} vind je meer keuze.",
        "Probeer {} eens een maand.",
        "Hos {} finns det fler val.",
        "Prova {} under en månad.",
        "Sprawdź {} przed zakupem.",
    ),
    entries=(
        "solid shelves at a fair price",
        "a wide choice of lamps",
        "quick delivery and easy returns",
        "well made, though not cheap",
        "popular with small households",
        "its kitchen line is the best one",
    ),
    frames=("{n}. {name} - {entry}", "{n}. **{name}**: {entry}", "- **{name}**: {entry}", "* {name} – {entry}"),
    advice=(
        "Consider the height of your ceiling.",
        "Look for solid wood.",
        "Check the surface for scratches.",
        "Opt for neutral tones.",
        "Ensure that the door still opens.",
        "Set a limit before you start.",
    ),
    titles=(
        "## Where to Put a {} in a Small Flat\n\nCorners are often empty, so begin there.",
        "### Your First {} Plan\n\nDraw it before you buy anything at all.",
        "**When a {} Is Too Large**\n\nReturn it within a month.",
        "## More on Height, {} and Light\n\nAll of them matter in the evening.",
    ),
    heads=["Height", "Budget", "Surface", "Light", "Style", "Layout", "Cleaning", "Delivery"],
    measures=("The box holds 40 {}.", "You get 3 {} of it."),
    units=("ml", "oz", "GB", "TB", "QT"),
)


def openings(material: Material) -> Iterator[Text]:
    """Every name behind the first word of every sentence."""
    for sentence in material.openings:
        for word in material.words:
            yield Text(sentence.format(word), [word], True, material.description)


def lists(material: Material, number: int, sure: int, seed: int = 0) -> Iterator[Text]:
    """Lists of five names of which `sure` mean nothing else, in random order."""
    draw = random.Random(f"{seed} {sure}")
    for _ in range(number):
        words = draw.sample(material.words, 5 - sure)
        names = [*words, *draw.sample(material.invented, sure)]
        draw.shuffle(names)
        frame, described = draw.choice(material.frames), draw.sample(material.entries, 5)
        rows = [frame.format(n=place + 1, name=name, entry=described[place]) for place, name in enumerate(names)]
        yield Text("\n".join(rows), words, True, material.description)


def homonyms(material: Material, number: int, seed: int = 0) -> Iterator[Text]:
    """Lists of names, answers to a question about a trade: one name's subject sells something else."""
    for each in lists(material, number, sure=2, seed=seed):
        reasons = " ".join(entry.capitalize() + "." for entry in material.entries)
        yield Text(f"{each.text}\n\n{reasons}", each.names[:1], False, material.other, material.question)


def advice(material: Material, number: int, seed: int = 0) -> Iterator[Text]:
    """Lists of things to consider, with a word that is a name as the head of one."""
    draw = random.Random(seed)
    for _ in range(number):
        word = draw.choice(material.words)
        heads = [word, *draw.sample(material.heads, 4)]
        draw.shuffle(heads)
        pairs = zip(heads, draw.sample(material.advice, 5), strict=True)
        frame = draw.choice(("- **{}**: {}", "* {}: {}", "1. **{}:** {}"))
        yield Text("\n".join(frame.format(*pair) for pair in pairs), [word], False, material.description)


def titles(material: Material) -> Iterator[Text]:
    """Words within titles that are no names there, other ones in each."""
    for number, title in enumerate(material.titles):
        for word in material.words[number :: len(material.titles)]:
            yield Text(title.format(word), [word], False, material.description)


def units(material: Material) -> Iterator[Text]:
    """Names that are units behind a number."""
    for sentence in material.measures:
        for unit in material.units:
            yield Text(sentence.format(unit), [unit], False, material.description)


@dataclass(frozen=True, slots=True)
class Homonym:
    """A name, what its subject sells, and a text in which it means something else everywhere."""

    name: str
    description: str
    text: str


HOMONYMS = tuple(
    Homonym(**row) for row in json.loads(Path(__file__).with_name("homonyms.json").read_text(encoding="utf-8"))
)
