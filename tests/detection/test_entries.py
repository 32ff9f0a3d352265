"""The places of names among what an answer offers."""

import pytest

from tests.detection.finding import ranks
from visibility.detection import Detector, Subject

NAMES = ("Zenbo", "Orva", "Vessi")


def test_a_place_is_that_among_what_is_offered_however_it_is_laid_out() -> None:
    layouts = {
        "items": "1. Zenbo X2 - light\n2. Orva Pro - cheap\n3. Vessi Dry - dry\n",
        "bold items": "- **Zenbo X2**: light\n- **Orva Pro**: cheap\n- **Vessi Dry**: dry\n",
        "headings": "### 1. Zenbo X2\n- Price: $9\n### 2. Orva Pro\n- Price: $8\n### 3. Vessi Dry\n- Cons: hot\n",
        "labelled headings": "### Best Overall: Zenbo X2\n### Best Softside Carry-On: Orva Pro\n### Value: Vessi\n",
        "titles": "### Best Overall\n**Zenbo X2**\n- Pros: a\n### Best Value\n**Orva Pro**\n### Rain\n**Vessi**\n",
        "table": "| Model | Price |\n|---|---|\n| Zenbo X2 | 9 |\n| Orva Pro | 8 |\n| Vessi Dry | 7 |\n",
        "flat": "Top Picks:\xa0Zenbo X2: Light.Orva Pro:Known for comfort.\xa0For rain:\xa0Vessi Dry: Dry.",
        "flat items": "Short list:  - Zenbo — light.  - Orva — open.  - Vessi — dry.",
        "arrows": "Best overall: Zenbo X2.\nBest value: Orva Pro.\nBest for rain: Vessi.\n",
    }
    for layout, text in layouts.items():
        assert ranks(text, *NAMES) == [1, 2, 3], layout


def test_plain_words_whose_points_tell_of_one_thing_are_offered_as_in_a_table_below() -> None:
    names = ("Purple Mattress", "Nectar Classic", "Hybrid 1600", "Queen Plush", "Dream Layer")
    listed = "".join(f"**{place}. {name}**\n\n* **Price**: $9\n\n" for place, name in enumerate(names, 1))
    table = "| Mattress | Price |\n|---|---|\n| Hybrid 1600 | 9 |\n| Purple Mattress | 8 |\n"
    assert ranks(f"{listed}---\n\n{table}", "Purple", "Nectar") == [1, 2]


def test_who_is_tracked_changes_nobodys_place() -> None:
    text = "1. Acme One\n2. Zenbo X2\n3. Zenbo X3\n4. Orva Pro\n"
    assert ranks(text, "Orva") == ranks(text, "Zenbo", "Orva")[1:] == [4]


def test_what_comes_again_keeps_its_place() -> None:
    text = (
        "Top Picks:\xa0Zenbo X2: Light.Orva Pro: Cheap.\xa0Zenbo X2 Wireless$89.994.3(9k+)Orva Pro$60.003.8(384)"
        "Other Options:\xa0Vessi Dry: Dry.\xa0Best Value:\xa0Orva Pro: Cheap."
    )
    assert ranks(text, *NAMES) == [1, 2, 3]
    table = "1. Zenbo X2\n2. Orva Pro\n3. Vessi Dry\n\n## Comparison\n| Model | Price |\n|--|--|\n| Orva Pro | 1 |\n"
    assert ranks(table, *NAMES) == [1, 2, 3]


def test_advice_shops_points_and_nested_items_have_no_place() -> None:
    text = (
        "Top Picks:\xa0Zenbo X2: Light.Orva Pro: Cheap."
        "\xa0Factors to Consider:\xa0Weight: Consider Vessi.Price: Set one."
        "\xa0Where to Buy:\xa0REI: Has many of them in stock."
    )
    found = Detector([Subject(name, (name,)) for name in (*NAMES, "REI", "Weight")]).detect(text, "best shoes?")
    assert {mention.subject: mention.rank for mention in found.mentions} == {
        "Zenbo": 1,
        "Orva": 2,
        "Vessi": None,
        "REI": None,
    }
    assert found.picks == 2
    nested = "1. **Zenbo X2**\n   - Like Vessi\n   - Vessi Dry: similar\n2. **Orva Pro**\n3. **Acme One**\n"
    assert ranks(nested, *NAMES) == [1, 2, None]


def test_plain_words_are_entries_among_names_but_not_among_advice() -> None:
    text = "Popular services:\xa0Rocket Money: Known for budgets.Orva: Offers loans.Capital One: A large bank."
    assert ranks(text, "Rocket Money", "Orva", "Capital One") == [1, 2, 3]
    advice = "Mind this:\xa0Sound Quality: Consider what you hear.Battery: Look for ten hours.Fit: Choose one."
    assert Detector([]).detect(advice, "best earbuds?").picks == 0


def test_two_names_in_running_text_have_a_place_only_where_the_answer_says_that_it_offers_them() -> None:
    text = "Zenbo X2: It was made in 1999.Orva Pro: It was made in 2001."
    assert ranks(text, "Zenbo", "Orva") == [None, None]
    assert ranks(f"Here are some of the best shoes:\n{text}", "Zenbo", "Orva") == [1, 2]


@pytest.mark.parametrize("prompt", ["", "When were they made?", "Which is best?", "Fortæl mig om sko"])
def test_the_question_does_not_decide_what_a_list_is(prompt: str) -> None:
    text = "1. **Zenbo**: it was made in 1999\n2. **Orva**: it is light\n3. **Vessi**: it is dry\n"
    assert ranks(text, *NAMES, prompt=prompt) == [1, 2, 3]


def test_what_things_have_to_be_is_no_entry_and_often_recommended_things_are() -> None:
    text = "It is important to look for bags that are:\n\n* **Non-slip** (in the rain)\n* **Crease-resistant**\n\n"
    picks = "1. **Zenbo X2**\n2. **Orva**\n"
    advice = "### Key features to look for:\n\n* **Ripstop:** lasts.\n\n"
    assert ranks(f"{text}### Top bags\n\n{picks}", "Zenbo", "Orva") == [1, 2]
    assert ranks(f"{advice}### Bags often recommended for rain:\n\n{picks}", "Zenbo", "Orva") == [1, 2]


def test_a_name_deep_inside_of_an_entry_has_no_place() -> None:
    text = "1. Acme Rain Boots Orva Edition\n2. Zenbo X2 by Vessi\n3. Acme Two\n"
    assert ranks(text, *NAMES) == [2, None, 2]
