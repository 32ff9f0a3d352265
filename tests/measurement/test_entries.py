"""The entries of an answer, found without knowing whom anybody tracks; ranks and stances that follow from them."""

import hashlib
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.detection.detector import detect
from visibility.detection.names.matching import Dictionary
from visibility.detection.stance.quotes import MAX_QUOTE
from visibility.detection.text.entries import MAX_ENTRIES, entries
from visibility.detection.text.reading import Reading
from visibility.detection.types import Name

BEST = "Which running watch is best?"
FLAT = (
    "Here are some of the top contenders:\xa0Top Picks:\xa0Zentra Pace 3: Light and exact. It lasts a week."
    "Kryton Apex: A solid watch. Good maps.\xa0Vexil Zentra Pace 3 GPS Watch$229.004.9(2k+)Kryton Apex 46mm$349.004.6"
    "(438)Budget:\xa0Ombra One:Cheap.Zentra Pace 3: As said above.Factors to Consider:\xa0Battery Life: Look."
    "Where to Buy:\xa0Amazon: Fast."
)


def told(text, asked=True):
    """Each entry as "number names", cards apart."""
    reading = Reading(text)
    shown = reading.seen.prose.text
    return [
        f"{each.number} " + " + ".join(shown[slice(*name)] for name in each.names)
        for each in entries(reading.seen, reading.lines, asked=asked)
        if each.rule != "card"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. **Zentra Pace**: light\n2. Kryton – exact\n3. Vexil is cheap", ["1 Zentra Pace", "2 Kryton", "3 Vexil"]),
        ("### 1. Zentra 3\n\n* **Price**: $9\n\n### 2. Kryton\n\n* Zorix chip\n", ["1 Zentra 3", "2 Kryton"]),
        ("### [Zentra]()\n\n#### Best Value\n\n### [Kryton]()\n\n#### Long Battery\n", ["1 Zentra", "2 Kryton"]),
        ("**Best overall: Zentra**\n\n**Best value: Kryton / Vexil**", ["1 Zentra", "2 Kryton + Vexil"]),
        ("| Watch | Price |\n|---|---|\n| **Zentra** | $9 |\n| Kryton | $8 |", ["1 Zentra", "2 Kryton"]),
        ("## Top picks\n\n- Zentra: a\n- Kryton: b\n\n## How to choose\n\n- GPSX: exact", ["1 Zentra", "2 Kryton"]),
        ("**Best for X**\n\n1. Zentra\n\n**Best value**\n\n1. Kryton\n\n**Summary**\n\n- Zentra: all",
         ["1 Zentra", "2 Kryton", "1 Zentra"]),
        (FLAT, ["1 Zentra Pace 3", "2 Kryton Apex", "3 Ombra One", "1 Zentra Pace 3"]),
        ("Short answer: Zentra or Kryton, depending on you.", ["1 Zentra", "2 Kryton"]),
        ("Top picks:\xa0Horror: Zentra.Classics: Kryton, Vexil.", ["1 Zentra", "2 Kryton + Vexil"]),
        ("Want the best maps → Zentra. Want it cheap → Kryton.", ["1 Zentra", "2 Kryton"]),
        ("Clear.  ## Top pick: Zentra (free)  It is light.  *   **Light Weight:** yes  ## Good too: Kryton  Hm.",
         ["1 Zentra", "2 Kryton"]),
        ("1. Notion – notes\n2. Slack – chat\n3. Linear – bugs", ["1 Notion", "2 Slack", "3 Linear"]),
        ("- Bang & Zorix Beo: a\n- Zentra and Kryton: b", ["1 Bang & Zorix Beo", "2 Zentra", "3 Kryton"]),
        ("1. **資生堂 アネッサ** – 汗に強く\n2. **花王** – 軽い", ["1 資生堂 アネッサ", "2 花王"]),
        ("1. Zentra\n   - Zorix X9\n2. Kryton", ["1 Zentra", "2 Kryton"]),
        ("It should be:\n\n* **Small** (it has to fit)\n* **Loud** or **clear**\n* **Wireless**\n\n### Top picks\n\n"
         "* **Zentra 3**\n\n  * light\n* **Kryton**\n\n  * exact", ["1 Zentra 3", "2 Kryton"]),
        ("What to look for: Size: Measure it.Sound: A wide range. Our picks: Zentra Era: Warm.Kryton 3: Loud.",
         ["1 Zentra Era", "2 Kryton 3"]),
        ("Top picks: Zentra 3: It is more expensive.zorix Max 7: It is easy.Kryton: Loud.",
         ["1 Zentra 3", "2 zorix Max 7", "3 Kryton"]),
        ("Short list: - Zentra / Zorix — open. Free: yes. - Kryton — dear.", ["1 Zentra + Zorix", "2 Kryton"]),
        ("Where to buy:\n- Zentra Shop\n- Kryton Store", []),
        ("Avoid Zentra: it breaks. Note: Kryton is no better.", ["1 Kryton"][:0]),
    ],
)  # fmt: skip
def test_what_an_answer_offers(text, expected):
    assert told(text) == expected


def test_unless_asked_the_answer_has_to_say_that_it_offers():
    listed = "Steps on common systems:Zentra OS:Open it.Kryton OS:Click it."
    assert told(listed, asked=False) == []
    assert told("Here are the best options:\n\n1. Zentra\n2. Kryton", asked=False) == ["1 Zentra", "2 Kryton"]


def ranks(text, *tracked, prompt=BEST):
    dictionary = Dictionary([Name(name, name) for name in tracked])
    return {each.subject: each.rank for each in detect(Reading(text), prompt, dictionary)}


def test_untracked_entries_count_and_other_places_tell_no_rank():
    assert ranks(FLAT, "Ombra") == {"Ombra": 3}
    assert ranks("1. **Kryton**: runs on Zentra chips\n2. **Vexil**", "Zentra", "Vexil") == {
        "Zentra": None,
        "Vexil": 2,
    }


def test_the_first_entry_of_several_counts():
    assert ranks("1. Zentra One\n2. Kryton\n3. Zentra Two", "Zentra") == {"Zentra": 1}


def test_a_card_gives_its_maker_the_rank_of_the_product():
    assert ranks(FLAT, "Vexil") == {"Vexil": 1}


def test_only_the_beginning_of_an_entry_names_whose_it_is():
    text = "1. Zentra Phone 12 Pro Max Smart Vexil Edition\n2. Ombra One by Kryton"
    assert ranks(text, "Vexil", "Kryton", "Ombra") == {"Vexil": None, "Kryton": 2, "Ombra": 2}


NAMES = ["Zentra", "Kryton", "Vexil", "Ombra", "Zorix", "Quilva", "Brenno"]
PATTERNS = [
    "1. **{}**: light.\n",
    "- {} – exact\n",
    "### {}\nGood.\n",
    "{}: It is fine.",
    "**{}**\n\n",
    "I like {}. ",
    "Pros: {}\n",
]
answers = st.lists(st.tuples(st.sampled_from(PATTERNS), st.sampled_from(NAMES)), max_size=12).map(
    lambda parts: "".join(pattern.format(name) for pattern, name in parts)
)


@given(answers, st.sampled_from(NAMES), st.sets(st.sampled_from(NAMES)), st.sampled_from([BEST, "Who owns it?"]))
def test_tracking_more_rivals_never_changes_ones_own_rank(text, own, rivals, prompt):
    alone = ranks(text, own, prompt=prompt).get(own)
    assert ranks(text, own, *sorted(rivals - {own}), prompt=prompt).get(own) == alone


@given(answers)
def test_numbers_go_up_by_one_and_each_entry_has_its_names(text):
    reading = Reading(text)
    found = entries(reading.seen, reading.lines, asked=True)
    highest = 0
    for each in found:
        assert 1 <= each.number <= highest + 1
        highest = max(highest, each.number)
        assert each.names and all(start < end <= len(reading.seen.prose.text) for start, end in each.names)


@pytest.mark.parametrize(
    ("text", "prompt", "stance"),
    [
        ("1. Zentra – light, though dear\n2. Kryton\n3. Avola", BEST, "recommended"),
        ("1. Zentra – hard pass\n2. Kryton", BEST, "unknown"),  # too few picks to trust their places
        ("1. Kryton: runs Zentra maps", BEST, "unknown"),
        ("I'd go with Zentra.", BEST, "unknown"),
        ("Zentra beats the market, said the ministry.", "Why did the court rule?", "unknown"),
        ("Avoid Zentra: it breaks.", BEST, "rejected"),
        ("- Zentra: avoid.\n- Kryton: the best", BEST, "rejected"),
        ("Some models, like the Zentra 9, may no longer be recommended.", BEST, "rejected"),
        ("Be careful with Zentra.", BEST, "cautioned"),
        ("Zentra was told of complaints by its union.", "Who founded Zentra?", "unknown"),
        ("I could not find anything about Zentra.", "What is Zentra?", "not_found"),
    ],
)
def test_a_stance_is_told_where_it_can_be_trusted(text, prompt, stance):
    found = detect(Reading(text), prompt, Dictionary([Name("z", "Zentra")]))
    assert [each.stance.value for each in found] == [stance] * len(found) != []


def quotes(text, name, prompt=BEST):
    return [
        text[each.quote_start : each.quote_end]
        for each in detect(Reading(text), prompt, Dictionary([Name("own", name)]))
    ]


def test_a_quote_holds_one_product():
    assert quotes(FLAT, "Kryton") == ["Kryton Apex: A solid watch.", "Kryton Apex 46mm"]
    assert quotes("Zentra is light. Dr. Kryton sold Vexil Inc. to us.", "Vexil") == [
        "Dr. Kryton sold Vexil Inc. to us."
    ]


def test_a_quote_ends_without_what_leads_to_the_next_name():
    assert quotes("Best picks: Zentra / Kryton / Vexil", "Kryton") == ["Kryton"]


def test_a_quote_ends_where_the_next_product_begins():
    [quote] = quotes("We like Zorix • Kryton Two: dear. Vexil One: good.", "Zorix")
    assert "Zorix" in quote and "Kryton" not in quote


def test_a_long_quote_ends_with_a_clause_or_a_word():
    text = "It is said of watches, " * 9 + "that Zentra is one of them, " + "and that it is light, " * 20 + "or not."
    [quote] = quotes(text, "Zentra")
    assert len(quote) <= MAX_QUOTE and "Zentra" in quote
    before, after = text.split(quote)
    assert before.endswith(" ") and after[:1] in (",", " ")
    linked = "Try [Zentra](https://zentra.example/" + "x" * 300 + ") now."
    assert quotes(linked, "Zentra") == ["Try [Zentra"]


def test_dense_text_takes_linear_time():
    """A hundred times the text takes about a hundred times as long; what grows with its square, ten thousand."""
    pieces = ["Zentra 9: a. ", "- Kryton - ", "1. Vexil\n", "**Ombra:** ", "| Zorix |\n", "$9.99Quilva ", "→ Brenno "]

    def spent(times):
        reading = Reading("".join(pieces) * times)
        _ = reading.seen, reading.lines
        begun = time.process_time()
        found = entries(reading.seen, reading.lines, asked=True)
        assert len(found) <= MAX_ENTRIES * 200
        return time.process_time() - begun

    spent(20)
    assert spent(2_000) < 1_000 * max(spent(20), 1e-3)


def test_on_real_answers_tracking_more_brands_changes_no_rank(reference_data):
    """Wherever the same places are found, those of all brands at once give each the rank that it has alone."""
    seen = set()
    for line in (reference_data / "real-answers/answers.jsonl").read_text(encoding="utf-8").splitlines():
        answer = json.loads(line)
        key = hashlib.sha256(answer["text"].encode()).hexdigest()
        if key in seen or int(key[:2], 16) >= 64:  # a quarter of them is enough
            continue
        seen.add(key)
        reading = Reading(answer["text"])
        together = detect(reading, answer["prompt"], Dictionary([Name(name, name) for name in MAKERS]))
        for name in {each.subject for each in together}:
            alone = detect(reading, answer["prompt"], Dictionary([Name(name, name)]))
            own = [each for each in together if each.subject == name]
            if [each.start for each in alone] == [each.start for each in own]:
                assert {each.rank for each in alone} == {each.rank for each in own}, (name, answer["prompt"])
    assert len(seen) > 50


MAKERS = [
    "Sony", "Bose", "Sennheiser", "JBL", "Anker", "Jabra", "Garmin", "Polar", "COROS", "Suunto", "Fitbit",
    "Apple", "Samsung", "LG", "Hisense", "TCL", "Dell", "HP", "Lenovo", "Acer", "ASUS", "Epson", "Brother",
    "Canon", "Ninja", "Philips", "COSORI", "Breville", "Gaggia", "Vitamix", "Dyson", "Shark", "Nectar",
    "Helix", "Netflix", "Hulu",
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "asked", "expected"),
    [
        # A title tells late that things to choose are listed: they begin above it.
        ("### [Zentra 3]()\n\n### [Kryton]()\n\n**Top picks:**\n\n* **[Kryton]()**: a\n* **[Zentra 3]()**: b", False,
         ["1 Zentra 3", "2 Kryton", "2 Kryton", "1 Zentra 3"]),
        # No title tells, and the question does not: only names, each heading one of several.
        ("1. **Zentra 3**: a\n2. **Kryton**: b\n3. **Vexil**: c", None, ["1 Zentra 3", "2 Kryton", "3 Vexil"]),
        ("1. **Zentra 3**: a\n2. **Kryton**: b\n3. **Vexil**: c", False, []),
        ("1. **Open settings**: a\n2. **Choose Kryton**: b\n3. **Restart**: c", None, []),
        ("Zentra 3: a. Kryton: b. Vexil: c.", None, []),
        ("Zentra 3: a. Kryton: b. Vexil: c. Zentra 3 Black$19.994.5(2k+)", None,
         ["1 Zentra 3", "2 Kryton", "3 Vexil"]),
    ],
)  # fmt: skip
def test_the_shape_of_an_answer_tells_that_it_lists_things_to_choose(text, asked, expected):
    assert told(text, asked) == expected


def test_a_name_has_the_rank_of_the_first_entry_that_it_stands_in():
    text = "Top picks: Zentra: a.Kryton: b.Vexil: c. Recommendations: For value: Zentra or Vexil."
    dictionary = Dictionary([Name(name, name) for name in ("Zentra", "Kryton", "Vexil")])
    ranks = {each.subject: each.rank for each in detect(Reading(text), BEST, dictionary)}
    assert ranks == {"Zentra": 1, "Kryton": 2, "Vexil": 3}
