"""The builders make the site that their words say."""

from tests.audit.builders import HOME, fetched, page, parsed, robots, site, sitemap


def test_the_default_site_is_a_good_one_with_four_pages_read():
    good = site()
    assert [each.kind for each in good.parsed()] == ["home", "about", "pricing", "other"]
    assert good.home is not None and good.home.url == HOME
    assert good.probes["missing page"].fetched.status == 404
    assert {entry.url for entry in good.sitemaps[0].entries} == {each.url for each in good.pages}


def test_short_forms_make_elements_and_none_leaves_them_out():
    said = parsed("/kettle", title=None, canonical="/other", robots="noindex", markup=({"@type": "Product"},))
    assert said.titles == ()
    assert [link.url for link in said.linked("canonical")] == [HOME + "other"]
    assert [meta.content for meta in said.meta("robots")] == ["noindex"]
    assert said.nodes("Product") == ({"@type": "Product"},)
    assert parsed("/kettle", canonical=None).linked("canonical") == ()


def test_a_page_that_did_not_answer_says_nothing():
    assert page("/gone", status=404).parsed is None
    assert page("/late", answer=fetched("/late", 0, error="timeout")).parsed is None


def test_robots_of_a_site_may_be_text_and_a_site_may_have_no_pages():
    assert site(robots="User-agent: *\nDisallow: /").robots.rules.groups[0].rules[0].path == "/"
    assert site(robots=robots(None)).robots.fetched.status == 404
    assert site(no_pages=True).home is None
    assert sitemap("/a", "/b").total == 2
