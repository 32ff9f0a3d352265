"""What counts as a mention: one short answer for each rule."""

from collections import Counter

import pytest

from visibility.detection import detector
from visibility.detection.detector import detect, named_in
from visibility.detection.names.matching import Dictionary
from visibility.detection.text.reading import Reading
from visibility.detection.types import Name
from visibility.engines.protocol import Source

DICTIONARY = Dictionary(
    [
        Name("", "Sony"),
        Name("hub", "HubSpot"),
        Name("crm", "HubSpot CRM"),
        Name("att", "AT&T"),
        Name("coke", "Coca-Cola"),
        Name("ja", "ソニー"),
        Name("line", "ライン"),
        Name("zh", "索尼"),
        Name("ko", "삼성"),
        Name("strasse", "Straße"),
        Name("under", "Under"),
        Name("disney", "Disney+"),
        Name("net", ".NET"),
        Name("moulin", "Café Moulin"),
    ]
)


def found(text, *, prompt="what is the best one?", sources=()):
    return [mention.text for mention in detect(Reading(text, sources), prompt, DICTIONARY)]


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        # words
        ("Sony is good, SONY too, sony.", ["Sony", "SONY", "sony"]),
        ("Sonys, Sonya, xSony, Sony2, 3Sony, sonys", ["Sony"]),
        ("Sony's and Sony’s", ["Sony", "Sony"]),
        ("(Sony), Sony/JVC, Sony-made, Sony_1, Sony®, Sony™, Sony¹", ["Sony"] * 7),
        ("HubSpot", ["HubSpot"]),
        ("HubSpot CRM beats HubSpot", ["HubSpot CRM", "HubSpot"]),
        ("HubSpot-CRM, HubSpot  CRM", ["HubSpot-CRM", "HubSpot  CRM"]),
        ("HubSpot\nCRM, HubSpot\u00a0CRM", ["HubSpot\nCRM", "HubSpot\u00a0CRM"]),
        ("HubSpot – CRM", ["HubSpot"]),
        ("Coca-Cola, Coca Cola, CocaCola", ["Coca-Cola", "Coca Cola", "CocaCola"]),
        ("Coca\u2011Cola, coca–cola", ["Coca\u2011Cola", "coca–cola"]),
        ("Disney+Hulu, Disney", ["Disney+"]),
        ("ASP.NET and .NET", [".NET"]),
        # letters
        ("Ünder, U\u0308nder, Undér, Unde\u0301r", []),
        ("Under", ["Under"]),
        ("Cafe\u0301 Moulin, CAFÉ MOULIN, Cafe Moulin", ["Cafe\u0301 Moulin", "CAFÉ MOULIN", "Cafe Moulin"]),
        ("STRASSE, Strasse, straße, Straßen", ["STRASSE", "Strasse", "straße"]),
        ("\uff33\uff4f\uff4e\uff59", ["\uff33\uff4f\uff4e\uff59"]),
        ("So\u00adny, S\u200dony", ["So\u00adny", "S\u200dony"]),
        ("Hub\u200bSpot, a\u200bSony\u200bb", ["Hub\u200bSpot", "Sony"]),
        # scripts without spaces
        ("新しいソニーのカメラ", ["ソニー"]),
        ("ソニーストアで買う", ["ソニー"]),
        ("オンラインで", []),
        ("ラインで", ["ライン"]),
        ("推荐索尼耳机和Sony耳机", ["索尼", "Sony"]),
        ("삼성전자는 좋다", ["삼성"]),
        ("안삼성", []),
        # markup
        ("**Sony** _Sony_ ***Sony*** ~~Sony~~", ["Sony"] * 4),
        ("**Hub**Spot", ["Hub**Spot"]),
        ("# Sony\n\nSony\n====\n\n> Sony\n\n1. Sony\n   - Sony", ["Sony"] * 5),
        ("| Name | Why |\n|---|:-:|\n| Sony | a \\| Sony |\n| HubSpot | CRM |", ["Sony", "Sony", "HubSpot"]),
        ("AT&amp;T, AT\\&T, AT&#38;T, AT&T", ["AT&amp;T", "AT\\&T", "AT&#38;T", "AT&T"]),
        ("<b>Hub</b>Spot, Sony<br>", ["Hub</b>Spot", "Sony"]),
        ("HubSpot<br>CRM", ["HubSpot"]),
        ("HubSpot  \nCRM", ["HubSpot"]),
        ("<p>Sony <i title='Sony'>is</i></p>\n", ["Sony"]),
        ("<!-- Sony -->\n\n<script>Sony</script>\n\n<style>\nSony\n</style>", []),
        ("a\r\n\r\n- Sony\r\n", ["Sony"]),
        # code
        ("```\nSony\n```\n\n~~~python\nSony\n~~~", []),
        ("Use `Sony` or `` Sony ``, not `pip install sony`", ["Sony", "Sony"]),
        # links, addresses and citations
        ("[Sony WH-1000XM5](https://shop.example/p)", ["Sony"]),
        ("[Sony WH-1000XM5]()", ["Sony"]),
        ("[shop](https://sony.com/sony 'Sony')", []),
        ("[sony.com](https://www.sony.com/en) and [www.sony.com](http://sony.com)", []),
        ("![Sony](https://sony.com/a.png)", []),
        ("See <https://sony.com/x> or https://www.sony.com/sony or www.sony.com or store.example/sony/tv", []),
        ("Write to help@sony.com", []),
        ("Good ([Sony][1]). Also [Sony][2]\n\n[1]: https://sony.com \"Sony\"", []),
        ("Good[1] Sony[2] 【4†Sony】", ["Sony"]),
        ("[Sony][home] is good\n\n[home]: https://sony.com", ["Sony"]),
        ("[1]: https://a.example/sony \"Why Sony wins\"\n[^2]: Review of Sony, https://a.example/x", []),
        ("Good.[^1]\n\n[^1]: Sony says so.", ["Sony"]),
        # product cards
        ("$1,199.99Sony WH, €99Sony X, 4.8(9k+)Sony Z", ["Sony", "Sony", "Sony"]),
        ("$99sony", []),
        ("A model5Sony, the PlaySony and a SonyX", []),
    ],
)  # fmt: skip
def test_mentions(text, mentions):
    assert found(text) == mentions


def test_a_link_in_parentheses_that_is_titled_like_its_source_is_a_label():
    sources = [Source("https://a.example/x?utm_source=openai", "Why Sony wins")]
    assert found("Good ([Why Sony wins](https://a.example/x))", sources=sources) == []
    both = "Good ([Why Sony wins](https://a.example/x), [Why Sony wins](https://a.example/x#top))"
    assert found(both, sources=sources) == []
    assert found("([Why Sony wins](https://b.example/x))", sources=sources) == ["Sony"]
    assert found("### [Why Sony wins](https://a.example/x)", sources=sources) == ["Sony"]


def test_the_repeated_question_is_no_mention():
    prompt = "Is Sony good for running?"
    assert found("**Is Sony good for running?** Perhaps.", prompt=prompt) == []
    assert found("is sony good for running — yes, Sony is.", prompt=prompt) == ["Sony"]
    assert found("Sony headphones are good.", prompt="Sony headphones") == ["Sony"]


def test_rank_is_the_order_of_first_mention():
    mentions = detect(Reading("HubSpot, then Sony, then HubSpot CRM, Sony again"), "", DICTIONARY)
    assert [(mention.subject, mention.rank) for mention in mentions] == [("hub", 1), ("", 2), ("crm", 3), ("", 2)]


def test_rules_are_kept():
    assert [each.rule for each in detect(Reading("Sony, $99Sony, 索尼Sony"), "", DICTIONARY)] == [
        "word", "glued", "joined", "joined",
    ]  # fmt: skip


def test_a_shared_name_counts_for_each_subject():
    shared = Dictionary([Name("b", "Delta"), Name("", "delta"), Name("b", "DELTA")])
    assert [(each.subject, each.start) for each in detect(Reading("A Delta"), "", shared)] == [("", 2), ("b", 2)]


def test_offsets_point_into_the_raw_text():
    text = "\ufeffx\0 &amp; **a**\r\n> b\r\n> \\*Sony\\* `Sony`\n\n| x |\n|-|\n| &lt;Sony |"
    mentions = detect(Reading(text), "", DICTIONARY)
    assert [text[each.start : each.end] for each in mentions] == ["Sony"] * 3
    assert [each.start for each in mentions] == [text.index("Sony"), text.index("`Sony") + 1, text.rindex("Sony")]


@pytest.mark.parametrize("names", [[], [Name("", "")], [Name("", " \u00ad ")]])
def test_a_dictionary_without_names_finds_nothing(names):
    assert detect(Reading("Sony \u00ad"), "Sony", Dictionary(names)) == []
    assert named_in("Sony", Dictionary(names)) == frozenset()


def test_a_prompt_names_what_stands_in_it_overlaps_included():
    assert named_in("HubSpot CRM or sony's", DICTIONARY) == {"hub", "crm", ""}
    assert named_in("best headphones", DICTIONARY) == frozenset()


SENSES = Dictionary(
    [
        Name("away", "Away"),
        Name("mercury", "Mercury"),
        Name("notion", "Notion"),
        Name("ring", "Ring"),
        Name("square", "Square"),
        Name("target", "Target"),
        Name("asana", "Asana"),
    ]
)


@pytest.mark.parametrize(
    ("prompt", "named"),
    [
        ("how to stay away from scams", set()),
        ("How to Stay Away From Scams", set()),
        ("Is Away luggage any good?", {"away"}),
        ("What is Notion?", {"notion"}),
        ("what is the notion of justice?", set()),
        ("How hot is Mercury?", set()),
        ("Is Mercury safe for startups?", {"mercury"}),
        ("Ring size chart", set()),
        ("Ring doorbell review", {"ring"}),
        ("Square footage of a flat", set()),
        ("How do I define a Target audience?", set()),
        ("Is Target or Asana cheaper?", {"target", "asana"}),
        ("is asana free", {"asana"}),
        ("notion vs obsidian", {"notion"}),
        ("alternatives to notion", {"notion"}),
        ("put it away", set()),
    ],
)
def test_a_prompt_names_what_it_means_and_not_what_it_spells(prompt, named):
    assert named_in(prompt, SENSES) == named


def test_a_flood_of_one_name_hides_no_other_and_is_looked_at_only_so_far():
    found = detect(Reading("Sony. " * 3_000 + "\n\nHubSpot is good.", []), "Which is good?", DICTIONARY)
    counted = Counter(each.subject for each in found)
    assert counted == {"": detector.MAX_OCCURRENCES, "hub": 1}
