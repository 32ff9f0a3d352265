"""Which spellings are the name, and where it is a part of another word."""

from tests.detection.finding import ASKED, mentions, words
from visibility.detection import Detector, Policy, Subject
from visibility.detection.variants import variants


def test_a_name_counts_however_it_is_typed() -> None:
    spellings = {
        "Levi's": ("Levi’s", "Levis", "levi's", "LEVI'S"),
        "Levis": ("Levi's",),
        "L.L.Bean": ("L.L. Bean", "LL Bean", "L L Bean", "LLBean"),
        "U.S. Bank": ("US Bank", "U.S. Bank", "U. S. Bank"),
        "Dr. Martens": ("Dr Martens", "Dr. Martens"),
        "H&M": ("H & M",),
        "Marks & Spencer": ("Marks and Spencer", "Marks + Spencer"),
        "Paramount+": ("Paramount Plus",),
        "Coca-Cola": ("Coca Cola", "CocaCola", "coca\u2011cola"),
        "BestBuy": ("Best Buy",),
        "Best Buy": ("BestBuy",),
        "Salesforce": ("Sales Force",),
        "1Password": ("1password", "1 Password"),
        "Nestlé": ("Nestle", "NESTLÉ"),
        "Müller": ("Mueller", "Muller"),
        "IBM": ("I.B.M.",),
        "WinkBeds": ("WinkBed",),
        "eufy": ("Eufy", "EUFY"),
        "小米": ("小米",),
    }
    for name, forms in spellings.items():
        for form in (name, *forms):
            assert words(f"You can get {form} there.", name) == [form], (name, form)


def test_the_possessive_and_the_plural_are_the_name_and_something() -> None:
    assert words("Garmin's watches and two Garmins.", "Garmin") == ["Garmin", "Garmin"]


def test_a_part_of_another_word_is_not_the_name() -> None:
    for text in ("Orvatek is new.", "The Preorva.", "orva.com/help", "@orva", "#orva", "orva@mail.com", "my_orva"):
        assert words(text, "Orva") == [], text


def test_a_site_that_is_a_name_counts() -> None:
    assert words("Try Booking.com first.", "Booking") == ["Booking"]
    assert words("Chrome/Android and Dropbox/Google Drive/iCloud", "Google Drive") == ["Google Drive"]


def test_scripts_without_spaces_have_no_edges() -> None:
    assert words("推荐小米手机和华为手机。", "小米") == ["小米"]
    assert words("ソニーのヘッドホンとPanasonicの製品", "ソニー", prompt="おすすめは?") == ["ソニー"]
    assert words("삼성전자는 좋습니다. Samsung은 좋다.", "삼성전자") == ["삼성전자"]


def test_names_grown_together_in_product_cards_count() -> None:
    text = "Zenbo X2$89.994.3(9k+)Orva Pro$899Dell XPS 13$799.00WalmartHP Envy"
    assert [len(words(text, name)) for name in ("Orva", "Dell", "Walmart", "HP")] == [1, 1, 1, 1]


def test_the_longest_name_of_a_subject_counts_and_takes_none_from_another_subject() -> None:
    subjects = [Subject("maker", ("Orva", "Orva Pro")), Subject("line", ("Orva Pro",)), Subject("owner", ("Orva",))]
    found = Detector(subjects).detect("Orva Pro and Orva", ASKED).mentions
    places = {(mention.subject, mention.start, mention.end) for mention in found}
    assert places == {("maker", 0, 8), ("line", 0, 8), ("owner", 0, 4), ("maker", 13, 17), ("owner", 13, 17)}


def test_capitals_count_where_the_user_says_so() -> None:
    strict = Policy(case_sensitive=True)
    assert [len(mentions(text, "ORVA", policy=strict)) for text in ("ORVA", "Orva", "orva")] == [1, 0, 0]


def test_no_spelling_comes_twice_and_empty_names_have_none() -> None:
    assert list(variants("")) == [] and list(variants("   ")) == []
    forms = list(variants("Marks & Spencer's Co. U.S.-Home"))
    assert len(forms) == len(set(forms)) and forms[0] == "Marks & Spencer's Co. U.S.-Home"


def test_no_subjects_and_no_text_are_nothing() -> None:
    assert Detector([]).detect("Orva", ASKED).mentions == []
    assert mentions("", "Orva") == [] and mentions("Orva", "") == []
