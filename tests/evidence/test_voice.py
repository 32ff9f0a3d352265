"""The voice of a site is counted on its own sentences, and is unknown where there are too few."""

from uuid import uuid4

from tests.evidence.making import page
from visibility.audit.facts import Link
from visibility.evidence.voice import find_voice as voice_of

SITE = uuid4()


def find_voice(pages):
    return voice_of(SITE, pages)


def site(sentence, times=250, **more):
    return [page(*(f"{sentence} It is number {each}." for each in range(times)), **more)]


def traits(pages):
    return {trait.name: trait.value for trait in find_voice(pages).traits}


def test_seven_traits_say_what_they_were_counted_on():
    pages = site("You'll love how we've built your case, and you'll see why!")
    found = find_voice(pages)
    assert len(found.traits) == 7 and found.words > 1_000
    assert all("words in" in trait.measured for trait in found.traits)
    told = {trait.name: trait.value for trait in found.traits}
    assert told["formality"] == "conversational" and told["exclamation"] == "many" and told["address"] != ""
    for each in found.examples:
        assert pages[0].main_text[each.start : each.end] == each.text


def test_traits_tell_sites_apart():
    plain = traits(site("You get your case from us in a day, and you pay for it when it is with you."))
    stiff = traits(
        site(
            "The manufacturer's comprehensive documentation establishes characteristics regarding transportation "
            "requirements, environmental considerations, material composition and international certification."
        )
    )
    assert plain["reading ease"] == "easy" and stiff["reading ease"] == "demanding"
    assert plain["address"] == "speaks to the reader" and stiff["address"] == "speaks of things, to nobody"
    assert plain["formality"] == stiff["formality"] == "formal"


def test_too_few_words_make_no_profile():
    assert find_voice(site("Our cases are light.", times=20)) is None
    assert find_voice([]) is None


def test_calls_to_action_are_what_links_ask_for():
    texts = ("Shop cabin cases", "About", "Get started")
    links = tuple(Link(f"https://zentra.example/{text}", text, 1, "main") for text in texts)
    calls = find_voice(site("Our cases are light, and they last.", links=links)).calls_to_action
    assert calls == ["Get started", "Shop cabin cases"]
