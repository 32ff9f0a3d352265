"""Where competitors are named and the brand is not."""

import pytest

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from tests.factories import CompetitorFactory, PromptFactory
from tests.scans.history import ended_run
from visibility.services.competitors.gaps import MAX_GAPS, competitor_gaps

pytestmark = pytest.mark.django_db
TEXTS = ["Acme is good.", "Rival is good.", "Other is good.", "Rival and Acme.", "Rival, then Other."]


@pytest.fixture
def other(cast):
    return CompetitorFactory(brand=cast.brand, name="Other", domain="other.example")


def gaps(caller, cast, **more):
    return competitor_gaps(caller, brand_id=cast.brand.pk, **more)


def test_gaps_name_who_stands_there_by_which_sources_and_how_often(cast, owner, rival, other, wordings):
    ended_run(cast.brand, wordings, texts=TEXTS)
    report = gaps(owner, cast)
    assert (report.prompts, report.more) == (5, 0)
    assert {gap.text for gap in report.gaps} == {wordings[1].text, wordings[2].text, wordings[4].text}
    [both] = [gap for gap in report.gaps if gap.text == wordings[4].text]
    assert {(each.name, each.answers) for each in both.competitors} == {("Rival", 1), ("Other", 1)}
    assert [(each.engine, each.gaps, each.answers) for each in both.engines] == [("chat", 1, 1)]
    assert [(each.domain, each.answers) for each in both.sources] == [("shop.example", 1)]
    assert both.own_page_cited
    assert any(each.kind == "answer" and "Rival" in each.text for each in both.evidence)
    assert [gap.priority for gap in report.gaps] == sorted((gap.priority for gap in report.gaps), reverse=True)


def test_the_gaps_of_one_competitor_leave_the_others_out(cast, owner, rival, other, wordings):
    ended_run(cast.brand, wordings, texts=TEXTS)
    report = gaps(owner, cast, competitor_id=other.pk)
    assert {gap.text for gap in report.gaps} == {wordings[2].text, wordings[4].text}
    assert {each.name for gap in report.gaps for each in gap.competitors} == {"Other"}


def test_a_rare_gap_is_listed_behind_a_consistent_one(cast, owner, rival, wordings):
    for texts in (["Rival."] * 2 + ["Acme."] * 3, ["Rival."] + ["Acme."] * 4, ["Rival."] + ["Acme."] * 4):
        ended_run(cast.brand, wordings, texts=texts)
    always, rarely = gaps(owner, cast).gaps
    assert [(each.gaps, each.answers) for each in always.engines] == [(3, 3)]
    assert [(each.gaps, each.answers) for each in rarely.engines] == [(1, 3)]
    assert always.priority > rarely.priority


def test_a_competitor_that_the_prompt_names_makes_no_gap(cast, owner, rival):
    prompt = PromptFactory(brand=cast.brand, text="what is like Rival?")
    ended_run(cast.brand, [prompt], texts=["Rival is unlike others."])
    assert gaps(owner, cast).gaps == []


def test_a_competitor_of_another_brand_is_refused(cast, owner, rival):
    with pytest.raises(ServiceError) as caught:
        gaps(owner, cast, competitor_id=CompetitorFactory().pk)
    assert caught.value.code == "invalid_arguments"


def test_unmeasured_strangers_and_missing_scopes(cast, owner, lacking):
    assert (gaps(owner, cast).as_of, gaps(owner, cast).gaps) == (None, [])
    for caller, code in (
        (Caller.from_user(cast.stranger), "not_found"),
        (lacking("read:competitors"), "insufficient_scope"),
    ):
        with pytest.raises(ServiceError) as caught:
            gaps(caller, cast)
        assert caught.value.code == code


def test_the_list_is_bounded_and_says_what_is_left_out(cast, owner, rival, statements):
    prompts = [PromptFactory(brand=cast.brand) for _ in range(MAX_GAPS + 3)]
    ended_run(cast.brand, prompts[:5], texts=["Rival."] * 5)
    gaps(owner, cast)
    few = statements(gaps, owner, cast)
    ended_run(cast.brand, prompts, texts=["Rival."] * len(prompts))
    report = gaps(owner, cast)
    assert (len(report.gaps), report.more) == (MAX_GAPS, 3)
    # Evidence is read in pages of a hundred answers.
    assert statements(gaps, owner, cast) <= few + 1 <= 20
