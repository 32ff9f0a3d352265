"""The answers to a prompt: by run and engine, a page at a time, whole, and raw."""

from datetime import timedelta

import pytest

from tests.factories import AnswerFactory, CompetitorFactory, PromptFactory
from tests.pages.reading import Tags
from tests.scans.history import ended_run
from visibility.models import Answer, Run
from visibility.services.prompts import browsing

SAID = "## Best\n\n**Acme** is good. Rival is \\$5.\n\n| a | b |\n|---|---|\n| c | d |\n"


@pytest.fixture
def prompt(cast):
    CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
    return PromptFactory(brand=cast.brand, text="which anvil is good?")


@pytest.fixture
def show(visit, cast, prompt):
    def go(query="", user=cast.owner, status=200):
        page = visit(user, "prompt-page", brand_id=cast.brand.pk, prompt_id=prompt.pk, query=query)
        assert page.status_code == status
        return page.content.decode()

    return go


def engines_of(page):
    """The answers on a page, by the engine in their heading."""
    return [part.split("</h3>")[0] for part in page.split("<h3>")[1:]]


@pytest.mark.django_db
def test_an_answer_is_shown_as_its_markdown_means_with_names_and_sources(show, cast, prompt):
    ended_run(cast.brand, [prompt], texts=[SAID])
    page = show()
    assert "Best</h5>" in page
    assert "<table>" in page
    assert "is $5." in page
    assert '<strong><mark class="own" title="Acme: ' in page and '<mark class="rival" title="Rival: ' in page
    assert 'class="cite own"' in page and 'class="cite other"' in page
    assert Tags(page).all("h1") == [{"dir": "auto"}]


@pytest.mark.django_db
def test_a_source_stands_behind_its_sentence_with_its_class(show, cast, prompt):
    text = "Acme is good [1]. Rival is cheap."
    ended_run(cast.brand, [prompt], texts=[text], cited=[["https://www.reddit.com/r/anvils"]])
    said = show().split('class="said"')[1].split("</div>")[0]
    sentence, rest = said.split('<a class="cite community"')
    assert sentence.endswith("is good [1].") and "Rival" in rest
    assert "<bdi>reddit.com</bdi> <span>community</span>" in rest and 'rel="nofollow noreferrer"' in rest


@pytest.mark.django_db
def test_run_and_engine_are_chosen_by_the_address(show, cast, prompt):
    first = ended_run(cast.brand, [prompt], texts=["Acme one."], engine="chat")
    ended_run(cast.brand, [prompt], texts=["Acme two."], engine="search", day=1)
    assert engines_of(show()) == ["search", "chat"]
    assert engines_of(show("?engine=chat")) == ["chat"]
    assert engines_of(show(f"?run={first.pk}")) == ["chat"]
    assert "No answer is of this engine and run" in show(f"?run={first.pk}&engine=search")
    assert engines_of(show("?run=none&engine=")) == ["search", "chat"]


@pytest.mark.django_db
def test_an_import_of_several_days_is_read_day_by_day_and_its_day_page_leads_there(show, visit, cast, prompt):
    run = ended_run(cast.brand, [prompt], texts=["Acme is good."], engine="chat")
    first = Answer.objects.get(run=run)
    Run.objects.filter(pk=run.pk).update(trigger="import")
    AnswerFactory(
        run=run, prompt=prompt, version=first.version, engine="chat", sample=7, position=1, text="Then two.",
        answered_at=first.answered_at + timedelta(days=3),
    )  # fmt: skip
    scan = ended_run(cast.brand, [prompt], texts=["Acme three."], engine="search", day=3)
    # A scan that went on past midnight is one of the day on which it began.
    Answer.objects.filter(run=scan).update(answered_at=scan.created_at + timedelta(days=1))
    day, last = f"{first.answered_at:%Y-%m-%d}", f"{scan.created_at:%Y-%m-%d}"
    page = show(f"?run={run.pk}&day={day}")
    assert "</mark> is good." in page and "Then two." not in page
    assert f'<option value="{day}" selected>' in page and "1 answer of these" in page
    assert "Then two." in show(f"?run={run.pk}&day={last}") and "</mark> is good." in show(f"?run={run.pk}")
    assert sorted(engines_of(show(f"?day={last}"))) == ["chat", "search"]
    assert "2 answers of these" in show(f"?day={last}")
    for day_without in ("2001-01-01", "0001-01-01", "9999-12-31"):
        assert "No answer is of this day, engine and run" in show(f"?day={day_without}")
    assert len(engines_of(show("?day=none"))) == 3
    report = visit(cast.owner, "day-page", brand_id=cast.brand.pk, day=day).content.decode()
    assert f"?run={run.pk}&amp;day={day}&amp;engine=chat" in report


@pytest.mark.django_db
def test_many_answers_have_pages(show, cast, prompt):
    count = browsing.ANSWERS_OF_PAGE + 1
    for number in range(count):
        ended_run(cast.brand, [prompt], texts=[f"Acme {number}."], day=number)
    page = show()
    assert f"Acme</mark> {count - 1}." in page and "Acme</mark> 0." not in page and "page=2" in page
    assert engines_of(show("?page=2")) == engines_of(show("?page=900")) == ["chat"]
    assert engines_of(show("?page=x")) == ["chat"] * browsing.ANSWERS_OF_PAGE


@pytest.mark.django_db
def test_an_answer_alone_is_whole_and_its_raw_text_one_click_away(show, visit, cast, prompt, monkeypatch):
    monkeypatch.setattr(browsing, "MAX_TEXT", 10)
    ended_run(cast.brand, [prompt], texts=[SAID])
    answer = Answer.objects.get()
    where = {"brand_id": cast.brand.pk, "answer_id": answer.pk}
    assert "This is the beginning" in show() and "Rival is" not in show()
    whole = visit(cast.viewer, "answer-page", **where).content.decode()
    assert "<table>" in whole and "which anvil is good?" in whole and "This is the beginning" not in whole
    assert f"/answers/{answer.pk}?raw=1" in whole
    raw = visit(cast.viewer, "answer-page", query="?raw=1", **where).content.decode()
    assert "## Best\n\n**Acme** is good. Rival is \\$5." in raw


@pytest.mark.django_db
def test_an_answer_is_found_below_its_own_brand_alone(visit, cast, prompt):
    ended_run(cast.brand, [prompt], texts=[SAID])
    other = PromptFactory(brand__owner=cast.owner).brand
    answer = Answer.objects.get()
    assert visit(cast.owner, "answer-page", brand_id=other.pk, answer_id=answer.pk).status_code == 404
    assert visit(cast.stranger, "answer-page", brand_id=cast.brand.pk, answer_id=answer.pk).status_code == 404
