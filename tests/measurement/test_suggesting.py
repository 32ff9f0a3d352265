"""Names that lead the entries of answers and that nobody tracks."""

import json
from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.detection.names.matching import Dictionary
from visibility.detection.rivals.makers import common_words, company_name, makers_of
from visibility.detection.rivals.suggesting import MOST, name_key, said_at, suggest
from visibility.detection.text.reading import Reading
from visibility.detection.types import Name
from visibility.engines.protocol import Source

TRACKED = Dictionary([Name("", "Acme"), Name("r", "HubSpot"), Name("r", "HubSpot CRM")])


def names(text, sources=(), dictionary=TRACKED):
    candidates = suggest(Reading(text, [Source(url) for url in sources]), dictionary)
    return [found.name for found in candidates if not found.is_tracked]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1. **Trello** – boards\n2. **Asana**: lists\n3. Acme\n", ["Trello", "Asana"]),
        ("1. Trello\n2. Asana, for teams\n3. Notion\n4. Monday.com\n", ["Trello", "Asana", "Notion", "Monday.com"]),
        ("- **HubSpot CRM**: for sales\n- **Pipedrive**: for small teams\n", ["Pipedrive"]),
        ("### 1. Fairphone 5\ntext\n\n### 2. Shiftphone 8\ntext\n", ["Fairphone", "Shiftphone"]),
        ("**Best overall: Vitamix A3500** – dear\n\n**Runner-up: Blendtec** – loud\n", ["Vitamix", "Blendtec"]),
        ("| Tool | Price |\n|---|---|\n| Trello | $5 |\n| ClickUp | $7 |\n", ["Trello", "ClickUp"]),
        ("Best for boards: Trello: it is free.Best for teams: Asana: it is not.", ["Trello", "Asana"]),
        ("### \U0001f3ac **Netflix**\n\n* **The Killer** – a film\n", ["Netflix"]),
        ("1. [Todoist](https://todoist.com/x)\n2. [TickTick](https://ticktick.com)\n", ["Todoist", "TickTick"]),
        ("1. Gaggia Vivo\n2. Rancilio\n\nGaggia Vivo (new)$450.00\n", ["Gaggia Vivo", "Rancilio"]),
        ("1. (1k+)adidas Adizero\n2. Saucony Endorphin\n", ["adidas Adizero", "Saucony Endorphin"]),
        ("### 1. **Orvane + a Grinder (\\~\\$700-800)**\n\nx\n\n### 2. **Zephon**\n\ny\n", ["Orvane", "Zephon"]),
        ("\u2022 Trello\n\u2022 Asana\n", ["Trello", "Asana"]),
        ("1. Keds, shoes and bags for all\n2. Trello, boards and lists are free\n", ["Keds", "Trello"]),
        ("1. Asics, Saucony and Hoka are liked\n2. Keds, too\n", ["Asics", "Saucony", "Hoka", "Keds"]),
    ],
)  # fmt: skip
def test_names_that_lead_entries(text, found):
    assert names(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Trello and Asana are popular.",
        "- **Ease of use**: simple\n- **Pricing**: fair\n- **Support**: good\n",
        "- **Pros:** fast\n- **Cons:** dear\n- **Price:** $5\n",
        "1. Acme\n   - Trello integration\n   - **Asana**\n",
        "Where to buy:\n- Walmart\n- Costco\n",
        "**Sources:**\n- Wirecutter\n- Rtings\n",
        "1. nytimes.com\n2. www.rtings.com\n3. https://trello.com/pricing\n",
        "1. Open Trello and click on the menu at the top right corner\n2. Choose Settings and follow the steps\n",
        "### How Trello compares\n\n### Which One Should You Choose?\n",
        "```\n1. Trello\n2. Asana\n```\n",
        "1. Acme\n2. Acme Pro\n3. HubSpot Marketing Hub\n",
        "- Mudguards, rack and lock are included in the price of 2,490 euros. [1]\n",
        "- Panniers, locks, and lights are extra.\n- **Mudguards**, rack, light and lock are not.\n",
    ],
)
def test_what_is_no_untracked_name_that_leads(text):
    assert names(text) == []


def test_what_leads_many_entries_is_a_label():
    text = "".join(f"**{name}**\n\n- **Specs**: x\n- **Specs**: y\n\n" for name in ("Trello", "Asana"))
    assert names(text) == ["Trello", "Asana"]


def test_plain_words_are_names_only_among_names():
    assert names("1. Trello\n2. Asana\n3. Notion\n") == ["Trello", "Asana", "Notion"]
    assert names("1. Notion\n2. Focus\n3. Budget\n4. Asana\n") == ["Asana"]


def test_a_letter_before_a_word_of_the_language_makes_no_name_of_it():
    """The demo suggested "e-bike" as a competitor of a maker of e-bikes."""
    assert names("An e-bike needs a service once a year. [1]\n\nE-bikes climb hills with ease. [2]\n") == []
    assert names("1. **e-bike** – x\n2. **T-shirts** – y\n") == []
    assert names("1. **T-Mobile** – x\n2. **Trello** – y\n") == ["T-Mobile", "Trello"]


def test_places_are_in_the_raw_text():
    text = "Take one:\n\n1. **Trello** – boards\n2. [Asana](https://asana.com)\n"
    for found in suggest(Reading(text), TRACKED):
        assert text[found.start : found.end] == found.name


@pytest.mark.parametrize(
    ("urls", "domain"),
    [
        (["https://www.trello.com/pricing"], "trello.com"),
        (["https://blog.trello.com/a", "https://trello.com/b"], "trello.com"),
        (["https://trello.com", "https://trello.io"], ""),
        (["https://capterra.com/trello"], ""),
        ([], ""),
    ],
)
def test_the_domain_is_told_only_by_a_source_of_the_same_name(urls, domain):
    (found,) = suggest(Reading("1. Trello\n2. Acme\n", [Source(url) for url in urls]), TRACKED)
    assert found.domain == domain


@pytest.mark.parametrize(
    "address", ["https://" + "trello." * 60 + "com/", "https://tre llo.com", "javascript:trello", "//["]
)
def test_what_is_no_address_tells_no_domain(address):
    (found,) = suggest(Reading(f"1. [Trello]({address})\n2. Acme\n", [Source(address)]), TRACKED)
    assert found.domain == ""


def test_a_name_has_a_key_whatever_it_looks_like():
    names = (".NET Core", "Monday.com", "C++", "De'Longhi", "\uff21\uff33\uff35\uff33")
    assert list(map(name_key, names)) == ["netcore", "monday", "c", "delonghi", "asus"]


def test_a_link_tells_the_domain_too():
    text = "1. [To Doist](https://todoist.com/x)\n2. Asana Inc\n"
    found = suggest(Reading(text, [Source("https://asana.com")]), TRACKED)
    assert [each.domain for each in found] == ["todoist.com", "asana.com"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x\n1. **[Trello](https://trello.com)** \u2013 boards\n   - cheap\n", "Trello \u2013 boards cheap"),
        ("| Trello | free |\n", "| Trello | free |"),
        ("**Trello**\n\n* cheap\n", "Trello cheap"),
        (
            "1. **Trello** is what small teams take who want boards.\n2. Asana\n",
            "Trello is what small teams take who want boards.",
        ),
        ("Trello " + "word " * 100, ("Trello " + "word " * 46).strip() + "\u2026"),
    ],
)
def test_what_is_said_of_a_name_is_told_without_markup(text, said):
    assert said_at(text, text.index("Trello")) == said


def test_long_lists_recommend_nobody_in_particular():
    assert len(names("".join(f"1. Xq{chr(97 + n // 26)}{chr(97 + n % 26)}\n" for n in range(200)))) == MOST


@given(
    st.text()
    | st.lists(st.sampled_from(["1. ", "**", "| ", "\n", "Trello", ": ", "# ", "[", "](", ")", "\0", "$5 "])).map(
        "".join
    )
)
def test_any_text_is_taken(text):
    candidates = suggest(Reading(text, [Source(text)]), TRACKED)
    assert len({found.start for found in candidates}) == len(candidates)
    for found in candidates:
        assert 0 <= found.start < found.end <= len(text)
        assert found.name and len(found.name) <= 60
        assert name_key(found.name)


@pytest.mark.parametrize(
    ("counted", "name"),
    [
        ({"Trello": 3}, "Trello"),
        ({"ASUS ZenWiFi": 3, "Asus ROG": 1, "ASUS": 2}, "ASUS"),
        ({"Brooklyn Bedding Signature": 3, "Brooklyn Bedding Dreamfoam": 2}, "Brooklyn Bedding"),
        ({"Google Pixel": 9, "Google Nest": 1}, "Google"),
        ({"Adidas Adizero": 9, "Adidas Adizero Adios": 3}, "Adidas"),
        ({"New Balance FuelCell": 9, "New Balance FuelCell RC": 3}, "New Balance"),
        ({"Canon PIXMA": 9, "Canon imageCLASS": 1}, "Canon"),
        ({"Tuft & Needle Mint": 5, "Tuft & Needle Original": 2}, "Tuft & Needle"),
        ({"Helix Midnight": 9}, "Helix Midnight"),
        ({"Bear Elite": 9}, "Bear"),
        ({"Google Pixel": 3, "Google Nest": 2}, "Google"),
        ({"Fairywill Electric Toothbrush": 6}, "Fairywill"),
    ],
)
def test_the_company_name_of_a_maker(counted, name):
    assert company_name(counted, {"electric", "toothbrush"}, {"brooklynbedding", "bear"}) == name


@pytest.mark.parametrize(
    ("names", "makers"),
    [
        ({"apple": {"Apple iPhone SE": 3}, "iphone": {"iPhone SE": 6}}, {"iphone": "apple"}),
        ({"amazon": {"Amazon eero": 1}, "eero": {"Eero Pro": 17}}, {}),
        ({"audio": {"Audio Technica ATH": 8}, "audiotechnica": {"Audio-Technica": 19}}, {"audio": "audiotechnica"}),
        ({"a": {"A B": 2}, "b": {"B C": 2}, "c": {"C": 2}}, {"b": "a", "c": "a"}),
        ({"a": {"A B": 2}, "b": {"B A": 2}}, {"a": "a", "b": "b"}),
    ],
)
def test_models_are_their_makers_where_answers_tell_it(names, makers):
    answers = {lead: sum(counted.values()) for lead, counted in names.items()}
    assert makers_of(names, answers) == makers


@pytest.mark.parametrize(
    ("prompt", "found"),
    [
        ("What is the best bike?", ["Trello", "Asana"]),
        ("Which online stores sell bikes?", ["Costco", "Walmart", "Trello", "Asana"]),
        ("Wo kann ich ein Fahrrad kaufen?", ["Costco", "Walmart", "Trello", "Asana"]),
        ("Which magazine tests bikes?", ["Rtings", "Trello", "Asana"]),
    ],
)
def test_shops_and_publications_are_names_only_where_they_are_asked_for(prompt, found):
    text = "1. **Costco** – big\n2. **Walmart** – cheap\n3. **Rtings** – tests\n4. **Trello** – x\n5. **Asana** – y\n"
    assert [each.name for each in suggest(Reading(text), TRACKED, prompt)] == found


def test_what_a_shop_makes_itself_is_no_shop():
    text = "1. **Trello** – x\n2. **Amazon Basics** – y\n3. **Asana** – z\n"
    assert "Amazon Basics" in [each.name for each in suggest(Reading(text), TRACKED, "best bike?")]


def test_words_behind_a_tracked_name_are_told_apart():
    text = "1. **Acme Swift 7** – x\n2. **Acme's Glide** – y\n3. **Trello** – z\n"
    assert [(each.name, each.is_tracked) for each in suggest(Reading(text), TRACKED)] == [
        ("Swift", True), ("Glide", True), ("Trello", False),
    ]  # fmt: skip


def test_words_of_the_trade_stand_behind_several_makers():
    found = common_words(
        {"a": {"A Toothbrush": 1}, "b": {"B Sonic Toothbrush": 1}, "c": {"C Toothbrush": 1, "C Pro": 1}}
    )
    assert found == {"toothbrush"}


def test_real_answers_suggest_the_brands_that_were_labelled(reference_data):
    """Of each topic the ten names that lead in most answers, against the makers that were labelled in its answers."""
    counted = defaultdict(lambda: defaultdict(lambda: defaultdict(int)))
    labelled = defaultdict(set)
    lines = (reference_data / "real-answers" / "answers.jsonl").read_text().splitlines()
    for row in map(json.loads, lines):
        labelled[row["topic"]] |= {name_key(label["brand"] or "") for label in row["labelled_products"]}
        sources = [Source(each["url"], each["title"]) for each in row["citations"]]
        found = {
            name_key(each.name.split()[0]): each.name
            for each in suggest(Reading(row["text"], sources), Dictionary([]))
        }
        for lead, name in found.items():
            counted[row["topic"]][lead][name] += 1
    right = offered = 0
    for topic, leads in counted.items():
        often = sorted(leads, key=lambda lead: (-sum(leads[lead].values()), lead))
        often = [lead for lead in often if sum(leads[lead].values()) >= 2][:10]
        trade = common_words(leads)
        for lead in often:
            name = name_key(company_name(leads[lead], trade))
            offered += 1
            right += any(name.startswith(brand) or brand.startswith(name) for brand in labelled[topic] if brand)
    assert offered >= 100
    assert right / offered >= 0.85
