"""Who tracks a short or common name hears at once what it would cost on the newest answers."""

import pytest
from django.core.management import call_command

from apikeys.operators import system_caller
from brands.services.names import replace_aliases
from brands.services.policies import set_name_policy
from brands.services.tracked import BrandNames, read_names
from tests.factories import AnswerFactory, CompetitorFactory, PromptFactory, RunFactory
from tests.imports.conftest import jsonl, record
from tests.scans.history import ended_run, rescored
from visibility.detection.names.cost import LongerName, cost_of, longer_names
from visibility.services.competitors.listing import watch_competitor
from visibility.services.competitors.name_costs import MAX_TEXT
from visibility.services.competitors.names import name_checks, warned_names, warning_of

MEANT = "1. **Netflix**: films and shows.\n2. **Max**: films from HBO.\n3. **Hulu**: shows."
PHONE = "The iPhone 15 Pro Max has a big screen."
SMALL = "You get the max out of it."


class TestCost:
    def test_places_with_its_capitals_are_counted_and_those_that_are_meant(self):
        cost = cost_of("Max", [("Max, max, MAX and Pro Max, Maxi", {0}), ("nothing", set()), ("Max", {0, 1, 2})])
        assert (cost.answers, cost.places, cost.counted) == (3, 3, 2)

    @pytest.mark.parametrize(
        ("text", "longer"),
        [
            ("Try HBO Max today", ("HBO Max",)),
            ("Try Max Mara today", ("Max Mara",)),
            ("The Max is", ()),
            ("Use Max. Bose is", ()),
            ("with max", ()),
        ],
    )
    def test_longer_names_are_those_around_a_place_that_is_meant(self, text, longer):
        places = set(range(len(text)))
        assert cost_of("Max", [(text, places)]).longer == longer
        assert cost_of("Max", [(text, set())]).longer == ()

    def test_a_longer_name_that_hardly_ever_stands_there_is_not_told(self):
        texts = [("HBO Max is", {4})] * 19
        assert cost_of("Max", [*texts, ("Max Mara is", {0})]).longer == ("HBO Max",)

    def test_signs_in_a_name_are_no_pattern(self):
        assert cost_of("Yahoo!", [("Yahoo! and Yahoo", set())]).places == 1


class TestLongerNames:
    SKYE, OWN = ("Take an Arlo Skye. Arlo Skye rolls.", [8, 19]), ("Arlo Pro, Arlo Skye and Arlo see.", [0, 10, 24])

    def test_one_that_stands_alone_in_several_answers_is_told_with_what_it_costs(self):
        assert longer_names([self.SKYE, self.SKYE, ("Arlo sees.", [0])], ["Arlo", "Nest"]) == [
            LongerName("Arlo", "Skye", 4, 5)
        ]

    @pytest.mark.parametrize(
        ("answers", "names"),
        [
            ([SKYE], ["Arlo"]),
            ([OWN, OWN], ["Arlo"]),
            ([SKYE, SKYE], ["Arlo", "Arlo Skye"]),
            ([("Arlo has a camera.", [0])] * 2, ["Arlo"]),
            ([SKYE, SKYE, *[("Arlo sees.", [0])] * 40], ["Arlo"]),
        ],
        ids=["once", "beside its own", "tracked", "no name", "hardly ever"],
    )
    def test_others_are_not(self, answers, names):
        assert longer_names(answers, names) == []


@pytest.fixture
def answered(cast):
    """The newest run: one answer means Max, three do not."""
    run = RunFactory(brand=cast.brand, total=4, done=4)
    for number, text in enumerate([MEANT, PHONE, PHONE, SMALL]):
        AnswerFactory(run=run, prompt=PromptFactory(brand=cast.brand), text=text, position=number)
    return cast.brand


@pytest.mark.django_db
class TestWarning:
    def test_adding_a_competitor_says_what_its_short_name_costs(self, answered, owner):
        added = watch_competitor(owner, brand_id=answered.pk, name="Warnerama", domain="hbo.example", aliases=["Max"])
        [warned] = added.ambiguous_names
        assert (warned.name, warned.occurrences, warned.counted, warned.answers) == ("Max", 3, 1, 4)
        assert warning_of(warned) == (
            "“Max” is also a person, place, day or star; it counts where the talk is of brands. "
            "It stands 3 times in the newest 4 answers; by the words around them, 1 of these means it. "
            "Add the longer name that answers use, or say when this one counts."
        )

    def test_names_that_mean_one_thing_cost_nothing_and_read_nothing(
        self, answered, owner, django_assert_num_queries
    ):
        names = read_names(answered)
        with django_assert_num_queries(0):
            assert warned_names(names, ["Netflix"]) == []

    def test_without_answers_it_is_said(self, cast, owner):
        added = watch_competitor(owner, brand_id=cast.brand.pk, name="Max", domain="max.example")
        assert added.ambiguous_names[0].cost.startswith("No answers are stored yet")

    def test_an_answer_that_is_too_long_to_read_is_passed_over(self, answered, owner):
        AnswerFactory(
            run=answered.runs.get(), prompt=PromptFactory(brand=answered), text="Max " * MAX_TEXT, position=9
        )
        added = watch_competitor(owner, brand_id=answered.pk, name="Max", domain="max.example")
        assert added.ambiguous_names[0].answers == 4

    def test_answers_of_other_brands_are_not_looked_at(self, answered, cast):
        names = read_names(answered)
        assert [warned.answers for warned in warned_names(names, ["Max"])] == [4]
        AnswerFactory(text=MEANT)
        assert [warned.answers for warned in warned_names(names, ["Max"])] == [4]

    def test_the_page_and_the_staff_page_say_it(self, answered, client, admin_client):
        client.force_login(answered.owner)
        page = client.post(
            f"/brands/{answered.pk}/competitors/add",
            {"name": "Max", "domain": "max.example", "aliases": ""},
            follow=True,
        ).content.decode()
        assert "It stands 3 times in the newest 4 answers; by the words around them, 1 of these means it." in page

    def test_an_import_says_it_for_its_new_brand(self, cast, tmp_path, capsys):
        file = tmp_path / "answers.jsonl"
        file.write_bytes(jsonl(record(text=MEANT), record(text=PHONE, sample=2)))
        call_command("import_answers", file, new_brand=["Max", "max.example"], owner=cast.owner.email, competitor=[])
        assert "Max: “Max” is also" in (told := capsys.readouterr().err)
        assert "It stands twice in the newest 2 answers; by the words around them, 1 of these means it." in told


@pytest.mark.django_db
def test_a_new_alias_of_the_brand_is_looked_up_before_anything_is_measured_with_it(answered):
    replace_aliases(system_caller("test"), brand=answered, aliases=["Max"])
    [warned] = warned_names(read_names(answered), ["Max"])
    assert (warned.occurrences, warned.counted) == (3, 1)


@pytest.mark.django_db
def test_a_brand_whose_name_means_something_else_is_asked_what_it_sells(cast):
    cast.brand.name, cast.brand.description = "Max", ""
    names = BrandNames(cast.brand, ["Max"])
    assert warned_names(names, ["Max"])[0].reason.endswith(" Say in the description what you sell: "
                                                           "that tells where it is meant.")  # fmt: skip
    cast.brand.description = "films and series"
    assert "description" not in warned_names(names, ["Max"])[0].reason


@pytest.mark.django_db
def test_a_longer_name_that_may_be_another_makers_is_asked_until_it_counts_no_more(cast, owner):
    CompetitorFactory(brand=cast.brand, name="Arlo", domain="arlo.example")
    texts = ["1. **Arlo Skye**: a case.", "1. **Arlo Skye**: light.", "1. **Arlo**: sees."]
    ended_run(cast.brand, [PromptFactory(brand=cast.brand) for _ in texts], texts=texts)
    check = next(check for check in name_checks(owner, brand_id=cast.brand.pk) if check.name == "Arlo")
    assert check.reason.startswith("Of its 3 mentions in the newest answers, 2 of “Arlo Skye”. ")
    assert check.proposal.forbidden_near == ["Skye"]
    set_name_policy(owner, brand=cast.brand, text="Arlo", forbidden_near=check.proposal.forbidden_near)
    rescored(cast.brand)
    check = next(check for check in name_checks(owner, brand_id=cast.brand.pk) if check.name == "Arlo")
    assert (check.policy.forbidden_near, check.proposal, check.counted_in) == (["Skye"], None, 1)
