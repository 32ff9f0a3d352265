"""The engine over stored pages: verbatim quotes with their places, the same each time, in either order."""

import asyncio
from datetime import date

import pytest

from visibility.engines import LocalSearch, Passage, Question, search_terms

OLD, NEW = date(2026, 1, 1), date(2026, 7, 1)


def page(name, text, day=None):
    return Passage(f"https://{name}.example/", name, text, day)


def ask(*pages, query="Which belt drive is good?", **changes):
    async def retrieve(query, number):
        return pages[:number]

    return asyncio.run(LocalSearch(retrieve, **changes).ask(Question(query)))


def order(query, *pages):
    return [source.title for source in ask(*pages, query=query, ranking="recent").sources]


def test_an_answer_quotes_the_best_sentences_and_says_where_they_stand():
    text = "We sell bikes. Our belt drive lasts. Call us! The belt is made of carbon."
    reply = ask(page("shop", text), page("titled", ""))
    assert reply.text == "- Our belt drive lasts. The belt is made of carbon. [1]\n- titled [2]"
    assert [reply.text[source.start : source.end] for source in reply.sources] == [
        "Our belt drive lasts. The belt is made of carbon.",
        "titled",
    ]
    assert (reply.served_model, reply.bill.cost, reply.searched) == ("local-search", 0, True)


def test_without_pages_it_says_so_and_cites_nothing():
    reply = ask()
    assert reply.text == "No stored page answers this question." and not reply.sources


def test_the_same_question_gets_the_same_answer():
    pages = [page(f"p{number}", "A belt drive. A chain.", OLD) for number in range(9)]
    assert len({ask(*pages, ranking=ranking).text for ranking in (None, "recent") for _ in range(3)}) == 1


def test_by_recency_new_pages_come_first_as_far_as_they_answer():
    assert order("belt drive", page("old", "A belt drive.", OLD), page("new", "A belt drive.", NEW)) == ["new", "old"]
    unrelated = [page(f"new-{number}", "A bike.", NEW) for number in range(9)]
    assert order("bike belt drive", page("answer", "The bike has a belt drive.", OLD), *unrelated)[0] == "answer"
    undated = page("undated", "Belt.")
    assert order("belt", undated, page("old", "Belt.", OLD), page("new", "Belt.", NEW)) == ["new", "undated", "old"]


def test_its_name_is_the_served_model_and_its_ranking_must_exist():
    assert ask(name="local-search-recent").served_model == "local-search-recent"
    with pytest.raises(KeyError):
        LocalSearch(None, ranking="no-such")


def test_words_that_only_ask_are_no_search_terms():
    assert search_terms("Which is the best belt, the BELT?") == ["belt"]
    assert search_terms("What is it?") == ["what", "is", "it"]
