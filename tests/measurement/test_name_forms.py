"""Names in the forms that languages and pages give them: case endings, product cards, code, cells."""

import pytest

from visibility.detection.detector import detect
from visibility.detection.names.matching import Dictionary
from visibility.detection.text.reading import Reading
from visibility.detection.types import Domains, Name, Policy


def found(text, *names, prompt="Which one should I buy?", policy=None):
    dictionary = Dictionary([Name(name, name, policy) for name in names])
    return [mention.text for mention in detect(Reading(text), prompt, dictionary)]


@pytest.mark.parametrize(
    ("text", "name", "counts"),
    [
        ("Fazerin Sininen on varma valinta.", "Fazer", True),
        ("W Decathlonie są tańsze, ale nie ma ich w sklepie.", "Decathlon", True),
        ("A Boschnak van erre külön feje, és az jó.", "Bosch", True),
        ("S Rossignolem se také nezklamete, ale je tvrdší.", "Rossignol", True),
        ("Samsungi kaamera on parem, aga see ei ole odav.", "Samsung", True),
        ("Rustan on a hill sells it, and that is all I know of the shop.", "Rust", False),
        ("Hos Rusta är den billig, och det är en bra butik.", "Rust", False),
    ],
)
def test_a_case_ending_counts_in_its_own_language_only(text, name, counts):
    assert found(text, name) == ([name] if counts else [])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("HDDSeagate Expansion 4 TB94,90 €", ["Seagate"]),
        ("55 Zoll TVLG C4 1.299 €", ["LG"]),
        ("4.4(5,012)X10 Pro$499.99iRobot j7$349", ["iRobot"]),
        ("Arena Cobra39,95 €★4,6Speedo Biofuse24,99 €", ["Speedo"]),
        ("A SonyTech stand is what I would take; prices start at $19.", []),
    ],
)
def test_a_name_is_told_from_its_neighbours_in_a_product_card(text, names):
    assert found(text, "Seagate", "LG", "iRobot", "Speedo", "Sony") == names


def test_a_word_in_small_letters_is_a_name_where_it_stands_alone_among_others():
    table = "| Tool | Speed |\n|---|---|\n| pandas | slow |\n| DuckDB | fast |\n"
    assert found(table, "Pandas", "DuckDB") == ["pandas", "DuckDB"]
    assert found("Use `black` and stop arguing.", "Black") == ["black"]
    assert found("The field `target` holds the user.", "Target") == []
    assert found("It is black and that suits it.", "Black") == []


def test_required_words_near_do_not_make_a_name_of_a_verb():
    policy = Policy(required_near=("ants",))
    text = "Raid bait stations kill ants. Raid the fridge less at night."
    assert found(text, "Raid", prompt="How do I stop ants?", policy=policy) == ["Raid"]


def test_html_entities_are_read_as_what_they_stand_for():
    assert found("<p>The Led&shy;vance tube and Fa&#103;e &amp; more.</p>", "Ledvance", "Fage") == [
        "Led&shy;vance",
        "Fa&#103;e",
    ]


FORMS = """
Levi's=Levis Levis=Levi's=Levi’s Kohl's=Kohls L'Oréal=LOreal Loreal_Paris=Loréal_Paris Estee_Lauder=Estée_Lauder
Estée_Lauder=Estee_Lauder Nescafe=Nescafé Citroen=Citroën Skoda=Škoda Löwenbräu=Lowenbrau Dr._Martens=Dr_Martens
Dr_Martens=Dr._Martens J.Crew=J._Crew=J_Crew JCrew=J.Crew J_Crew=J.Crew e.l.f.=ELF ELF=e.l.f. H&M=H_&_M=H_and_M
Black+Decker=Black_&_Decker Black_and_Decker=BLACK+DECKER KeePass=KeePass/KeePassXC KeePassXC=KeePass/KeePassXC
TP-Link=TPLink=TP_Link TPLink=TP-Link GreenPan=Greenpan=Green_Pan Hydroflask=Hydro_Flask
"""


def test_a_name_is_found_in_the_forms_that_people_type():
    lost = []
    for forms in FORMS.split():
        name, *others = forms.replace("_", " ").split("=")
        for other in others:
            lost += (
                [(name, other)] if not found(f"Many people like {other}, and 1. **{other} 3** is one.", name) else []
            )
    assert lost == []
    assert found("Eine böse Zunge, und Böses droht.", "Bose") == []  # another letter, not another accent
    assert found("It has Marshall's signature sound.", "Marshalls") == []


def test_a_product_whose_first_word_begins_with_the_name_shows_its_maker():
    assert found("### 3. **EufyCam 3 (S330)**\n\nGood at night.", "Eufy") == ["Eufy"]
    assert found("A EufyCam hangs there.", "Eufy") == []


@pytest.mark.parametrize(
    ("name", "host", "written", "counts"),
    [
        ("Amazon", "amazon.com", "Amazon.com", True),
        ("Best Buy", "bestbuy.com", "BestBuy.com", True),
        ("Booking", "booking.com", "Booking.com", True),
        ("Target", "target.com", "Target.com", True),
        ("Best Buy", "bestbuy.com", "bestbuy.com", False),
        ("Amazon", "amazon.com", "https://Amazon.com/dp/1", False),
    ],
)
def test_a_shop_is_named_by_its_own_domain_in_capitals(name, host, written, counts):
    dictionary = Dictionary([Name("shop", name)], Domains({"shop": (host,)}))
    text = f"You can order it from {written}, which ships fast."
    assert bool(detect(Reading(text), "Where can I buy it?", dictionary)) is counts


WORDS = "Purple Away Nectar Casper Target Orbit Bear Ring Nothing Peak Monday Max Blink Honest Saturday"
PRODUCTS = ("The Basic", "The Carry-On", "Classic", "Original 2", "Pro")
PICKS = (
    "### Best Overall: {}\n\nA fine one.\n",
    "**2. {}**\n\n- Price: $99\n",
    "1. **{}** – best value\n2. **Saatva Plus** – good\n",
    "#### 2. **[{}](https://shop.example/x)**\n",
    "Top picks: {}: It is good.Saatva Plus: It is fine.",
    "| Product | Price |\n|---|---|\n| {} | $99 |\n| Saatva Plus | $199 |\n",
)


@pytest.mark.parametrize("pick", PICKS)
def test_a_word_that_heads_a_product_is_its_maker(pick):
    named = [(name, product) for name in WORDS.split() for product in PRODUCTS]
    lost = [f"{name} {product}" for name, product in named if not found(pick.format(f"{name} {product}"), name)]
    assert lost == []


def test_a_given_name_before_letters_is_a_maker_without_its_rivals():
    text = "1. **Wilson NCAA Evo NXT** – a good one\n2. **Spalding TF-1000** – fine\n"
    assert found(text, "Wilson") == ["Wilson"]
    assert found("1. **Wilson Pickett** – a singer\n", "Wilson", prompt="Who sang it?") == []
