"""Generated texts with names that are words, for what labels of real answers lack.

TRAINING and TESTING share no word, invented name, sentence or description. Each text is a template filled with
words of the English list that are names here: behind the first word of a sentence in nine languages, in lists among
no, one or two invented names that mean nothing else, as heads of advice, within titles, and as units behind a number.
`HOMONYMS` are written by hand: a brand's description, and a text in which its name has another sense.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


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
    words=["Harbor", "Lantern", "Meadow", "Copper", "Ember", "Compass", "Bridge", "Willow", "Anchor", "Pebble", "Summit", "Canvas", "Beacon", "Marble", "Velvet", "Saddle", "Timber", "Orchard", "Clover", "Feather"],
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
    words=["Basket", "Thunder", "Mirror", "Ribbon", "Cactus", "Kettle", "Harvest", "Garden", "Pillar", "Cotton", "Hammer", "Candle", "Tunnel", "Spider", "Lemon", "Rocket", "Magnet", "Puzzle", "Shadow", "Island"],
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


HOMONYMS = (
    Homonym(
        "Mercury",
        "Online banking for startups, with checking accounts, cards and invoices",
        "The inner planets differ a lot:\n\n1. **Mercury** - rocky, covered with craters, without an atmosphere\n"
        "2. **Venus** - thick clouds, hot surface\n3. **Mars** - red dust, thin air, polar ice\n\nAstronomers observe "
        "them with telescopes; spacecraft measured their gravity, rotation, magnetic fields and orbits around the Sun.",
    ),
    Homonym(
        "Saturn",
        "Calendar app for high school students with class schedules",
        "Through a small telescope the rings of Saturn are visible on clear nights. In winter Saturn rises after "
        "midnight beside bright stars; its moons Titan and Rhea look like faint dots, and larger mirrors show the gap "
        "between its rings, cloud belts, and the shadow that the globe throws across them.",
    ),
    Homonym(
        "Apollo",
        "Sales leads database with emails, phone numbers and outreach",
        "The landings on the Moon began in 1969. Astronauts of Apollo walked over dusty plains, collected rocks and "
        "left instruments behind. Engineers had tested rockets, capsules and parachutes for a decade before Apollo "
        "brought two men to the lunar surface while a third circled above them in orbit.",
    ),
    Homonym(
        "Phoenix",
        "Observability platform for language models with traces and evaluations",
        "Good cities for a winter holiday in the desert:\n\n1. **Phoenix** - sunshine, golf courses, cactus gardens\n"
        "2. **Tucson** - mountains, missions, street food\n3. **Palm Springs** - pools, design hotels\n\nFlights are "
        "cheap in February, nights can be cold, and hiking trails through canyons start near the suburbs.",
    ),
    Homonym(
        "Falcon",
        "Endpoint protection software that stops malware and breaches",
        "Birds of prey hunt in different ways. The peregrine Falcon dives at pigeons from a great height, hawks chase "
        "them through forests, and owls listen for mice at night. Feathers, talons and eyesight are adapted to hunting; "
        "chicks hatch on cliffs in spring, and parents feed them for six weeks until they fly.",
    ),
    Homonym(
        "Linear",
        "Issue tracking software for product teams, with roadmaps and sprints",
        "Students of algebra meet three kinds of equations:\n\n- **Linear**: straight lines, constant slope\n"
        "- **Quadratic**: parabolas with a vertex\n- **Cubic**: curves with a turning point\n\nGraphs, coefficients, "
        "roots and intercepts are explained with examples, exercises and proofs in every textbook of mathematics.",
    ),
    Homonym(
        "Monday",
        "Work management software with boards, automations and dashboards",
        "The museum is closed on Monday. On other mornings guides lead visitors through the galleries of paintings, "
        "sculptures and antique coins. Children enter free; the garden, bakery and bookshop open at nine, and concerts "
        "take place in the courtyard in July. A tram from the station stops at the gate, but not on Monday.",
    ),
    Homonym(
        "Sage",
        "Accounting and payroll software for firms",
        "Herbs that grow in dry soil:\n\n1. **Sage** - silver leaves, strong flavor, good with pork\n"
        "2. **Thyme** - small flowers, loved by bees\n3. **Rosemary** - needles, woody stems\n\nPlant the seedlings in "
        "spring, water them seldom, cut the stems after bloom, and dry the leaves in a warm and airy kitchen.",
    ),
    Homonym(
        "Bolt",
        "Ride hailing app with taxis, scooters and food delivery in European cities",
        "For steel frames three fasteners matter. The hexagonal Bolt carries shear, washers spread pressure, and nuts "
        "lock with nylon rings. Torque, thread pitch, grade and coating are stamped on heads; a rusty Bolt loses strength, "
        "so galvanized steel is used on bridges, towers and cranes near salt water.",
    ),
    Homonym(
        "Jasmine",
        "Genealogy records, family trees and DNA kits",
        "Climbing plants for a sunny wall:\n\n- **Jasmine** - white blossoms, sweet scent in June\n"
        "- **Clematis** - large petals, likes cool roots\n- **Honeysuckle** - berries for birds\n\nPrune the branches in "
        "March, tie shoots to a trellis, mulch the soil with compost, and feed roses nearby with potash.",
    ),
    Homonym(
        "Dawn",
        "Dish soap and cleaning sprays that cut grease",
        "Fishermen leave the harbor long before Dawn. Nets, ropes and lanterns lie ready on deck; gulls follow the boats "
        "past the lighthouse into open sea. Cod, herring and mackerel are sorted on ice, and auctions begin when church "
        "bells ring seven. At Dawn the horizon turns pink over quiet islands and rocks.",
    ),
    Homonym(
        "Atlas",
        "Payroll and hiring abroad for remote employers",
        "The mountains of Morocco rise in several chains. Snow lies on the High Atlas until May, while cedar forests with "
        "monkeys cover the Middle Atlas. Berber villages, goats, walnut trees and terraces fill the valleys; trekkers "
        "climb Toubkal with mules, sleep in huts and drink mint tea with shepherds.",
    ),
    Homonym(
        "Pilot",
        "Bookkeeping and tax filing for startups",
        "Three people work in the cockpit and cabin:\n\n1. **Pilot** - flies the aircraft, talks to the tower\n"
        "2. **Copilot** - reads checklists, watches instruments\n3. **Purser** - leads the crew\n\nTraining takes years: "
        "weather, navigation, engines, radio, emergencies and simulator hours, followed by medical exams each spring.",
    ),
    Homonym(
        "Glacier",
        "Archive storage in the cloud for backups",
        "Ice shaped these valleys. A Glacier moves downhill, grinds rock into flour and leaves lakes behind moraines. "
        "Summer melt feeds rivers, farms and power stations; crevasses, seracs and snow bridges make hikes dangerous, so "
        "guides rope up at sunrise. Each Glacier in the Alps has lost half of its volume since 1900.",
    ),
    Homonym(
        "Cobalt",
        "Penetration tests as a subscription, by vetted hackers",
        "Metals that miners seek for batteries:\n\n- **Cobalt** - bluish ore, found with copper in Congo\n"
        "- **Nickel** - from laterite in Indonesia\n- **Lithium** - from brine lakes in Chile\n\nSmelters refine ore into "
        "sulfates; prices swing with car demand, and recycling recovers cathodes from worn cells.",
    ),
    Homonym(
        "Raven",
        "Customer notifications by email, push and text for software teams",
        "Nordic myths are full of animals. On the shoulder of Odin sits a Raven that sees all; wolves chase the moon, and a "
        "serpent circles the ocean. Poets of Iceland wrote these stories on vellum in long winters. In runes the Raven "
        "stands for memory, battle, wisdom and fate, beside eagles, stags, oaks and giants.",
    ),
    Homonym(
        "Frame",
        "Designer jeans, sweaters and leather jackets",
        "A bicycle has few parts:\n\n1. **Frame** - tubes of steel, aluminum or carbon\n2. **Fork** - holds the front "
        "wheel\n3. **Crank** - turns the chain\n\nRiders check tire pressure, brakes, spokes and gears each month, oil "
        "the chain after rain, and adjust saddle height until knees bend slightly on each pedal stroke.",
    ),
    Homonym(
        "Loom",
        "Screen recorder for video messages at work",
        "Weavers in the village still work by hand. The wooden Loom fills half a room; wool threads are stretched, dyed with "
        "roots and beaten tight with a comb. Carpets take months, patterns pass from mothers to daughters, and an old Loom "
        "is repaired with walnut pegs, leather straps, wax and patience.",
    ),
    Homonym(
        "Bamboo",
        "Human resources software with applicant tracking and time off",
        "Grasses for wet gardens:\n\n- **Bamboo** - tall canes, spreads by runners, evergreen\n"
        "- **Reed** - brown plumes in autumn\n- **Sedge** - low tufts for shade\n\nDig a barrier against roots, divide "
        "clumps in April, keep soil moist near ponds, and thin old stalks with a saw before frost.",
    ),
    Homonym(
        "Anvil",
        "Paperwork automation, PDF filling and signatures by API",
        "Old smithies had everything within reach. Iron glows in the forge, tongs hold it, and hammers shape it on the Anvil "
        "until sparks fly. Horseshoes, hinges, nails and ploughs were made for farmers; bellows roared, water hissed, and "
        "apprentices swept ashes. A good Anvil rings like a bell when struck.",
    ),
)
