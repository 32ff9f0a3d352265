"""The page of answers: what each filter leaves, counts that are those of other pages, and who may see it."""

import csv
import io
import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from apikeys.accounts.operators import system_caller
from tests.factories import CollaboratorFactory, UserFactory
from tests.once import made_once
from tests.people.browser import Browser, text_of
from visibility.counts.figures import duels_of, engines_of, figures_of, standings_of
from visibility.counts.reader import select_now
from visibility.counts.secondary import secondary_of
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Prompt, Topic
from visibility.sources.cited import cited_sites

pytestmark = pytest.mark.django_db
PICKS = "1. **{}** is quiet.\n2. **{}** is loud.\n3. **Zentra** is old."
TEXTS = {
    "doors 0": PICKS.format("Kryton", "Velmora"),
    "doors 1": PICKS.format("Velmora", "Kryton"),
    "doors 2": "Avoid Kryton. Velmora lasts.",
    "bikes 0": "Velmora has a warranty of ten years.",
    "bikes 1": "Nobody makes one.",
}
GUIDE, SHOP = "https://guide.example/locks", "https://kryton.example/shop"


def lines(engine, day):
    """One engine's answers of a day of January: to five prompts, and to one that names the brand."""
    for place, text in TEXTS.items():
        cited = [GUIDE, SHOP] if place == "doors 0" else [{"url": GUIDE, "title": "Tested padlocks"}]
        yield {
            "prompt": f"Which lock for {place}?",
            "topic": place[:5],
            "engine": engine,
            "text": f"{text} {engine} {day}",
            "citations": cited if place.startswith("doors") else [],
            "time": f"2026-01-{day:02}T10:00:00Z",
        }
    yield {
        "prompt": "Is Kryton good?",
        "topic": "doors",
        "engine": engine,
        "text": f"Kryton is good, {engine} {day}.",
        "time": f"2026-01-{day:02}T10:00:00Z",
    }


def imported(*answers):
    new = NewBrand(
        UserFactory(),
        "Kryton",
        "kryton.example",
        competitors=[("Velmora", "velmora.example"), ("Zentra", "zentra.example")],
    )
    file = io.StringIO("\n".join(json.dumps(line) for each in answers for line in each))
    return import_answers(system_caller("command:test"), brand=new, file=file).brand


@pytest.fixture(scope="module")
def brand_key(django_db_setup, django_db_blocker):
    """Two engines on two days of one week, and one of them three weeks before."""
    with made_once(django_db_blocker):
        yield imported(lines("chatgpt", 28), lines("gemini", 28), lines("chatgpt", 29), lines("chatgpt", 2)).pk


def address(brand, **query):
    pairs = "&".join(f"{name}={value}" for name, value in query.items())
    return f"{reverse('brand-answers', args=[brand.pk])}?{pairs}"


def opened(brand, **query):
    return Browser(brand.owner).open(address(brand, **query))


def lead(page):
    """What the page says first: how many answers."""
    return re.search(r"</h1>\s*<p>(.*?)</p>", page.content.decode())[1]


def rows(brand, **query):
    """The rows of the table, by column."""
    text = opened(brand, format="csv", **query).content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def ids(brand, query):
    """The filters with ids for the names of topics, competitors and prompts."""
    names = {
        "topic": lambda name: Topic.objects.get(brand=brand, name=name).pk,
        "whose": lambda name: brand.competitors.get(name=name).pk,
        "prompt": lambda text: Prompt.objects.get(brand=brand, text=text).pk,
    }
    return {key: names[key](value) if key in names else value for key, value in query.items()}


NOW = "28 to 29 Jan 2026"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({}, f"15 answers, {NOW}; 9 mention you."),
        ({"engine": "gemini"}, "5 answers, 28 Jan 2026; 3 mention you."),
        ({"topic": "bikes"}, f"6 answers, {NOW}; 0 mention you."),
        ({"topic": "bikes", "whose": "Velmora"}, f"6 answers, {NOW}; 3 mention Velmora."),
        ({"stance": "mentioned"}, f"9 of 15 answers mention you, {NOW}."),
        ({"stance": "absent"}, f"6 of 15 answers do not mention you, {NOW}."),
        ({"stance": "first"}, f"6 of 15 answers name you first, {NOW}."),
        ({"stance": "recommended"}, f"6 of 15 answers recommend you, {NOW}."),
        ({"stance": "rejected"}, f"3 of 15 answers reject you, {NOW}."),
        ({"stance": "against"}, f"3 of 15 answers warn of or reject you, {NOW}."),
        ({"stance": "cautioned"}, f"0 of 15 answers warn of you, {NOW}."),
        ({"stance": "first", "whose": "Velmora"}, f"6 of 15 answers name Velmora first, {NOW}."),
        ({"stance": "absent", "whose": "Zentra"}, f"9 of 15 answers do not mention Zentra, {NOW}."),
        ({"day": "2026-01-29"}, "5 answers, 29 Jan 2026; 3 mention you."),
        ({"from": "2026-01-01", "to": "2026-01-10"}, "5 answers, 2 Jan 2026; 3 mention you."),
        ({"from": "2026-01-29"}, "5 answers, 29 Jan 2026; 3 mention you."),
        ({"to": "2026-01-28"}, "15 answers, 2 to 28 Jan 2026; 9 mention you."),
        ({"site": "guide.example"}, f"9 of 15 answers cite guide.example, {NOW}; 9 mention you."),
        ({"site": "https://www.guide.example/x"}, f"9 of 15 answers cite guide.example, {NOW}; 9 mention you."),
        ({"site": "own"}, f"3 of 15 answers cite your sites, {NOW}; 3 mention you."),
        ({"prompt": "Which lock for doors 2?"}, f"3 answers, {NOW}; 3 mention you."),
        ({"prompt": "Is Kryton good?"}, f"3 answers, {NOW}; 3 mention you."),
        ({"q": "warranties"}, f"3 of 15 answers match “warranties”, {NOW}; 0 mention you."),
        ({"q": "ten+warranty"}, f"3 of 15 answers match “ten warranty”, {NOW}; 0 mention you."),
        ({"q": "LOCK+bikes"}, f"6 of 15 answers match “LOCK bikes”, {NOW}; 0 mention you."),
        ({"q": "padlocks"}, f"6 of 15 answers match “padlocks”, {NOW}; 6 mention you."),
        ({"q": "padlocks", "stance": "absent"}, f"0 of 15 answers do not mention you and match “padlocks”, {NOW}."),
        ({"q": "ten", "day": "2026-01-29"}, "1 of 5 answers matches “ten”, 29 Jan 2026; 0 mention you."),
        ({"q": "zeppelin"}, f"0 of 15 answers match “zeppelin”, {NOW}; 0 mention you."),
        ({"from": "2027-01-01"}, "No answer counts here. Choose other days or filters."),
    ],
)
def test_each_filter_leaves_its_answers_and_says_of_how_many(brand, query, said):
    chosen = ids(brand, query)
    assert lead(opened(brand, **chosen)) == said
    total = int(said.split()[0]) if said[0].isdigit() else 0
    assert len(rows(brand, **chosen)) == total


def counted(page):
    """The number that the page begins with, and that of all."""
    found = re.match(r"([\d,]+)(?: of ([\d,]+))? answers?", lead(page))
    return int(found[1]), int(found[2] or found[1])


def test_the_base_and_the_mentions_are_those_of_the_figures(brand):
    figures = figures_of(select_now(brand))
    assert counted(opened(brand, stance="mentioned")) == (figures.mentioned, figures.answers)
    assert counted(opened(brand, site="own"))[0] == select_now(brand).rows("subject", subjects=[None])[0].cited


def test_each_engine_has_the_count_of_its_row(brand):
    for each in engines_of(select_now(brand)):
        page = opened(brand, engine=each.engine, surface=each.surface, stance="mentioned")
        assert counted(page) == (each.mentioned, each.answers)


def test_each_brand_has_the_count_of_its_standing(brand):
    for each in standings_of(select_now(brand)):
        page = opened(brand, whose=each.competitor_id or "", stance="mentioned")
        assert counted(page) == (each.mentioned, each.of)


def test_each_cell_of_the_map_has_its_count(brand):
    for duel in duels_of(select_now(brand)):
        for row in (duel.own, *duel.theirs.values()):
            page = opened(brand, topic=duel.topic_id, whose=row.competitor_id or "", stance="mentioned")
            assert counted(page) == (row.mentioned, row.of)


def test_each_site_has_the_counts_of_its_row(brand):
    for site in cited_sites(select_now(brand)):
        assert counted(opened(brand, site=site.domain)) == (site.citing, site.of)
        assert counted(opened(brand, site=site.domain, stance="mentioned")) == (site.naming, site.of)


def test_recommendations_and_warnings_have_their_counts(brand):
    secondary = secondary_of(select_now(brand))
    assert counted(opened(brand, stance="recommended"))[0] == secondary.recommended
    assert counted(opened(brand, stance="against"))[0] == secondary.cautioned


@pytest.mark.parametrize("page", ["brand", "brand-competitors", "brand-prompts", "brand-sources"])
def test_every_count_that_a_page_links_is_the_one_that_opens(brand, page):
    query = "?show=all" if page == "brand-prompts" else ""
    html = Browser(brand.owner).open(reverse(page, args=[brand.pk]) + query).content.decode()
    links = re.findall(
        r'<a[^>]* href="([^"]*/answers\?[^"]*)"[^>]*>(.*?)</a>', re.sub(r'class="big">.*?</p>', "", html)
    )
    shown = {link: re.sub(r"<[^>]*>", "", words) for link, words in links}
    counts = {link: re.match(r"\(?(\d+)(?: of (\d+))?", words) for link, words in shown.items()}
    opens = {link: counted(Browser(brand.owner).open(link.replace("&amp;", "&"))) for link, k in counts.items() if k}
    assert opens and opens == {
        link: (int(k[1]), int(k[2]) if k[2] and "site=" not in link else opens[link][1])
        for link, k in counts.items()
        if k
    }


def test_a_row_shows_the_marked_sentence_the_stance_and_the_way_to_the_answer(brand):
    page = opened(brand, **ids(brand, {"prompt": "Which lock for doors 2?", "engine": "gemini"}))
    html = page.content.decode()
    assert '<blockquote>Avoid <mark class="me">Kryton</mark>.</blockquote>' in html
    assert '<span class="chip bad">rejected</span>' in html and "also names Velmora" in html
    [link] = re.findall(r'<h2><a href="([^"]+)">', html)
    assert "Velmora lasts" in text_of(Browser(brand.owner).open(link))


def test_an_answer_without_you_says_whom_it_names(brand):
    words = text_of(opened(brand, **ids(brand, {"prompt": "Which lock for bikes 0?"})))
    assert words.count("does not mention you names Velmora") == 3


def test_a_search_shows_the_sentence_with_its_words_and_the_source_with_them(brand):
    assert "Velmora has a warranty of ten years." in text_of(opened(brand, q="warranty"))
    assert "cites guide.example: Tested padlocks" in text_of(opened(brand, q="padlocks"))


def test_the_newest_answers_come_first(brand):
    days = [row["day"] for row in rows(brand)]
    assert days == sorted(days, reverse=True)


@pytest.mark.parametrize(("number", "shown"), [("", 1), ("2", 2), ("99", 2), ("0", 2), ("-1", 2), ("x", 1)])
def test_a_page_beyond_the_end_is_the_last_one(brand, number, shown):
    every = {"from": "2026-01-01", "to": "2026-02-01", "page": number}
    more = imported(*(lines(f"engine{number}", 5) for number in range(5)))
    words = text_of(opened(more, **every))
    assert f"page {shown} of 2" in words


@pytest.mark.parametrize(
    "query",
    [
        *({"q": text} for text in ("%27%3B--", "%26|!():*", "%", "_", "<script>", "x" * 5000, "%5C%5C", "'%2B")),
        *({name: "%3Cb%3E'"} for name in ("topic", "engine", "surface", "whose", "stance", "day", "from", "prompt")),
        {"from": "2026-02-31"},
        {"to": "0000-01-01"},
        {"site": "%27 or 1=1"},
        {"prompt": "00000000-0000-4000-8000-000000000000"},
    ],
)
def test_hostile_filters_break_nothing_and_what_is_left_out_is_said(brand, query):
    page = opened(brand, **query)
    words = text_of(page)
    assert "15 answers" in words
    assert "Left out, because it is not valid: " in words or lead(page).startswith("0 of 15"), words
    assert "<script>" not in page.content.decode() and "<b>'" not in page.content.decode()


def test_what_answers_and_prompts_say_is_shown_as_text_and_run_by_no_spreadsheet():
    bad = {
        "prompt": "=HYPERLINK(A1) <script>alert(1)</script>?",
        "topic": "doors",
        "engine": "chatgpt",
        "text": "Kryton <script>alert(1)</script> [is](javascript:alert(1)) **bold**.",
        "citations": [],
        "time": "2026-01-02T10:00:00Z",
    }
    brand = imported([bad])
    html = opened(brand).content.decode()
    assert "<script>alert" not in html and "javascript:" not in html and "&lt;script&gt;" in html
    [row] = rows(brand)
    assert row["prompt"].startswith("'=HYPERLINK")


def test_the_table_has_what_the_page_shows_and_the_whole_answer(brand):
    [row, *_] = rows(brand, **ids(brand, {"prompt": "Which lock for doors 1?", "day": "2026-01-29"}))
    assert (row["day"], row["AI engine"], row["topic"], row["about"]) == ("2026-01-29", "chatgpt", "doors", "you")
    assert row["says"] == "mentioned, recommended" and "Kryton" in row["sentence"]
    assert row["others mentioned"] == "Velmora, Zentra" and row["answer"].endswith("chatgpt 29")


def test_who_may_see_the_brand_sees_its_answers_and_nobody_else_does(brand):
    viewer, stranger = UserFactory(), UserFactory()
    CollaboratorFactory(brand=brand, user=viewer, role="viewer")
    assert Browser(viewer).client.get(address(brand)).status_code == 200
    assert Browser(stranger).client.get(address(brand)).status_code == 404
    assert Browser().client.get(address(brand)).status_code == 302


def test_filters_of_another_brand_open_nothing_of_it(brand):
    other = imported(lines("chatgpt", 28))
    theirs = ids(other, {"topic": "bikes", "whose": "Velmora", "prompt": "Is Kryton good?"})
    page = opened(brand, **theirs)
    assert lead(page) == f"15 answers, {NOW}; 9 mention you."
    assert "Left out, because it is not valid: " in text_of(page)


def test_a_page_takes_as_many_statements_whatever_its_size(brand):
    large = imported(*(lines(f"engine{number}", day) for number in range(3) for day in (3, 4, 5)))
    used = []
    for each in (imported(lines("chatgpt", 28)), large):
        browser = Browser(each.owner)
        browser.open(address(each, q="lock"))
        with CaptureQueriesContext(connection) as statements:
            browser.open(address(each, q="lock"))
        used.append(len(statements))
    assert used[0] == used[1] <= 30
