"""Which spellings are the name, and where it is a part of another word."""

import pytest

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


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Orbi is wide but dear.Good for villas.tovo: easy to set up.", 1),  # sentences that lost their spaces
        ("Orbi is wide but dear.Good for villas. Call lib.tovo.run there.", 0),
        ("Call lib.tovo there. It is fine.", 0),
    ],
)
def test_a_name_in_small_letters_behind_a_dot_counts_where_sentences_run_on(text: str, number: int) -> None:
    assert len(words(text, "tovo")) == number


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


@pytest.mark.parametrize("name", ["Dropbox", "Drive", "Nextcloud", "Netto", "Føtex", "Bilka", "eBay"])
def test_each_name_of_a_row_with_slashes_counts(name: str) -> None:
    assert words("Use Dropbox/Drive/Nextcloud, or buy at Netto/Føtex/Bilka or eBay/Etsy/Amazon.", name) == [name]


@pytest.mark.parametrize("path", ["github.com/Orva/Kit/x", "/usr/orva/bin", "x/Orva/help/y", "src/orva"])
def test_a_part_of_a_path_is_not_the_name(path: str) -> None:
    assert words(f"See {path} for more.", "Orva") == []


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Eti", "ETİ"),
        ("ETİ", "Eti"),
        ("İşbir", "İŞBİR"),
        ("İstikbal", "ISTIKBAL"),
        ("I\u015f\u0131k", "I\u015eIK"),
        ("Decathlon", "Décathlon"),
        ("Décathlon", "Decathlon"),
        ("Thế Giới Di Động", "The Gioi Di Dong"),
        ("Ζαγορά", "ΖΑΓΟΡΑ"),
        ("Μύλος", "ΜΥΛΟΣ"),
        ("Берёзка", "Березка"),
        ("Sony", "\uff33\uff2f\uff2e\uff39"),
    ],
)
def test_accents_dots_and_wide_letters_make_no_other_name(name: str, written: str) -> None:
    assert words(f"You can get {written} there.", name) == [written]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("سامسونج", "اشتريت هاتفا من أبل وسامسونج أمس"),
        ("سامسونج", "ادفع بسامسونج"),
        ("أمازون", "اشتر من المتجر أو بالأمازون"),
        ("PayPal", "ادفع بPayPal أو لStripe"),
        ("Stripe", "ادفع بPayPal أو لStripe"),
        ("פייסבוק", "פרסמו ובפייסבוק גם"),
        ("Google", "אפשר בGoogle"),
        ("Facebook", "logowanie przez Facebooka i wiele innych"),
        ("Samsung", "inkább a Samsungot vegyék meg"),
        ("Django", "Začnite z Djangom zdaj"),
        ("Озон", "Я купил это в Озоне вчера"),
        ("Facebook", "Реклама в Facebook\u043eм довольна"),
        ("Samsung", "Samsung은 좋다"),
    ],
)
def test_letters_of_grammar_joined_to_a_name_leave_it_a_name(name: str, text: str) -> None:
    assert words(text, name) == [name]


def test_a_short_or_common_name_with_an_ending_counts_where_it_is_also_alone() -> None:
    assert words("Ostin uuden Applen eilen. Valmistaja on Apple itse.", "Apple") == ["Apple", "Apple"]
    assert words("Ostin uuden Applen eilen.", "Apple") == []
    assert words("Das ungültige Format muss geändert werden.", "Forma") == []
    assert words("Diese gängigen Methoden werden verwendet.", "Method") == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Sony", "Spørg Sonya om hvorfor hun kan lide den nye Sonyax."),
        ("Google", "A Googler told us about it."),
        ("Facebook", "The Facebooker is a person."),
        ("Apple", "The Applesauce is very good."),
        ("Apple", "Wir haben den Applesauce gegessen, und mehr nicht."),
        ("Facebook", "Widziałem facebooka wczoraj"),
        ("نون", "لديه بنون كثيرون"),
        ("Samsung", "Mijn Samsungtelefoon is nieuw geworden"),
    ],
)
def test_other_words_that_begin_or_end_like_a_name_are_not_the_name(name: str, text: str) -> None:
    assert words(text, name) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [("ニトリ", "手袋はニトリルゴムです"), ("ソニ", "ソニー製です"), ("라인", "새로운 라인업이 온라인에 있다")],
)
def test_a_short_name_within_a_run_of_its_script_is_not_the_name(name: str, text: str) -> None:
    assert words(text, name) == []


@pytest.mark.parametrize(
    ("name", "text", "times"),
    [
        ("ニトリ", "ニトリのニトリルゴム", 2),
        ("ソニー", "おすすめはソニー・パナソニックです", 1),
        ("スターバックス", "スターバックスカード", 1),
        ("라인", "라인에서는 라인이라고 한다. 라인은", 3),
        ("애플", "애플워치는 애플의 것", 2),
        ("카카오", "카카오톡을 쓴다", 1),
    ],
)
def test_a_name_without_spaces_counts_where_it_is_long_or_alone_or_has_particles(
    name: str, text: str, times: int
) -> None:
    assert words(text, name) == [name] * times


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("dm", "It is 80 dm wide, 80dm or 80 dm³."),
        ("PS", "The Sony PS-LX310BT and the PS-LX310 play records."),
        ("WH", "Get the Sony WH-1000XM5 or WH\u2011CH720N."),
        ("X", "Take X² and X₂."),
        ("CO", "Less CO₂ is better."),
    ],
)
def test_units_models_and_formulas_are_not_short_names(name: str, text: str) -> None:
    assert words(text, name) == []


@pytest.mark.parametrize(("name", "text"), [("HP", "An HP-branded cartridge"), ("LG", "Der neue LG-Fernseher")])
def test_a_short_name_before_a_hyphen_and_a_word_counts(name: str, text: str) -> None:
    assert words(text, name) == [name]


def test_a_name_of_one_letter_and_s_counts_with_and_without_its_apostrophe() -> None:
    assert words("The A's won, so did the A’s, and the As too.", "A's") == ["A's", "A’s", "As"]
