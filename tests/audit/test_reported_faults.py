"""Kinds of faults that others have reported: pages that show nothing, tests for people, dates that end a page,
charsets, robots.txt that nobody can read, canonical addresses in loops, sitemaps inside sitemaps, slow audits."""

import hashlib
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.audit.sites import HOST, Answer, WebSite, audited, facts_of, gathered_of, serving
from tests.audit.six_sites import ORIGIN, good
from tests.reference import reference_file
from visibility.audit import NotAudited, judge, state_of
from visibility.audit.facts import AgentProbe, Fetched, Robots, Site, SitePage
from visibility.audit.judge import RUN
from visibility.audit.read.pages import parse_page
from visibility.audit.read.robots import parse_robots
from visibility.audit.read.sitemaps import read_sitemap

AT = datetime(2026, 11, 1, tzinfo=UTC)
HOME = f"https://{HOST}/"
TEXT = "<title>Acme</title><main><h1>Kettles</h1><p>It boils water in a minute and stays warm all day long.</main>"


def page(body=TEXT, path="", header=(), content_type="text/html"):
    """A page of the site with the fields of its header."""
    sent = body.encode() if isinstance(body, str) else body
    parsed = parse_page(sent, url=HOME + path, content_type=content_type, is_home=not path)
    return SitePage(Fetched(HOME + path, 200, HOME + path, tuple(header)), min(len(path), 1), parsed)


def site(*pages, robots=b"", at=AT):
    url = f"{HOME}robots.txt"
    return Site(HOME, ("Acme",), at, "OurBot/1.0", Robots(Fetched(url, 200, url), parse_robots(robots)), pages)


def outcome(check, *pages, **more):
    return RUN[check](site(*pages, **more))


EMPTY = {
    "an empty body": "<!doctype html><html lang=en><head><title>Acme</title></head><body></body></html>",
    "nothing at all": "",
    "blanks": "<title>Acme</title><body>&nbsp;<br>&#8203;<hr></body>",
    "an image": "<title>Acme</title><body><a href=/a><img src=/all.png alt='Acme'></a></body>",
    "a script": "<title>Acme</title><body><script src=/app.js></script>",
    "an iframe": "<title>Acme</title><body><iframe src=/a></iframe>",
    "frames": "<frameset cols='20%,*'><frame src=/a><frame src=/b><noframes>Get a browser with frames.</frameset>",
    "a refresh": "<head><meta http-equiv=Refresh content='0; URL=/a'></head>",
    "a refresh with a link": "<meta http-equiv=refresh content=\"1,url='/a'\"><p>Redirecting. <a href=/a>Go</a>",
}


@pytest.mark.parametrize("body", EMPTY.values(), ids=EMPTY)
def test_a_home_page_that_shows_nothing_is_a_critical_defect(body):
    good_site = good()
    good_site.pages["/"] = Answer(body)
    verdict = audited(good_site)
    assert [finding.check.id for finding in verdict.critical] == ["REN-01"] and verdict.score == 25
    assert verdict.critical[0].outcome.finding.startswith("The home page has ")


@pytest.mark.parametrize("name", ["s1_home_empty", "s2_home_meta_refresh"])
def test_reported_home_pages_without_text_are_critical(name):
    body = reference_file(f"field-cases/audit/{name}.html").read_bytes()
    found = outcome("REN-01", page(body), page(path="b"))
    assert "The home page has no text" in found.finding and found.critical


def test_the_page_that_a_refresh_leads_to_is_crawled_and_named():
    moved = good()
    moved.page("/welcome", "/")
    moved.pages["/"] = Answer("<meta http-equiv=refresh content='0;url=/welcome'>")
    moved.pages["/sitemap.xml"] = Answer("", 404)
    with serving(moved):
        facts = facts_of(moved, gathered_of(moved))
    assert f"{ORIGIN}/welcome" in {each.url for each in facts.pages if each.parsed}
    assert f"{ORIGIN}/welcome" in RUN["REN-01"](facts).finding


@pytest.mark.parametrize(
    "body",
    [
        "<body><p>Closed today.</p>",
        "<body>关于我们</body>",
        "<meta http-equiv=refresh content=300><p>The news of this hour.",
        "<meta http-equiv=refresh content='5; url=/'><p>The news of this hour.",
    ],
)
def test_a_page_that_is_merely_short_or_reloads_itself_passes(body):
    assert outcome("REN-01", page(body), page(path="b")).verdict == "passed"


def test_a_page_that_only_leads_on_is_no_page_of_its_own():
    on = "<meta http-equiv=refresh content='0;url=/'>"
    assert outcome("REN-01", page(), page(on, "old")).verdict == "passed"
    assert outcome("REN-01", page(), page("<body></body>", "b")).lost == 0.5


OVER = [
    "25 Jun 2010 15:00:00 PST",
    "25-Aug-2007 15:00:00 EST",
    "Sunday, 06-Nov-94 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMT",
    "2020-09-21",
    "2020-09-21T15:00:00-08:00",
    "2010-06-25 15:00:00 PST",
    "20200921T150000Z",
    "25 June 2010",
    "2026-11-01T00:00:00Z",
]


@pytest.mark.parametrize("written", OVER)
@pytest.mark.parametrize("form", ["header", "header for one of several", "meta"])
def test_a_page_whose_time_is_over_is_barred_as_by_noindex(written, form):
    directive = f"noarchive, unavailable_after: {written}"
    if form == "meta":
        home = page(f'<meta name="robots" content="{directive}, max-snippet:-1">{TEXT}')
    else:
        bot = "otherbot: noindex" if form == "header" else "noodp"
        home = page(header=(("x-robots-tag", bot), ("x-robots-tag", directive)))
    found = outcome("ACC-06", home)
    assert found.lost == 1.0 and "unavailable_after" in found.finding
    assert state_of(home, None, AT) == "hidden"


def test_a_page_is_available_until_its_time_whatever_the_clock_says():
    home = page(header=[("x-robots-tag", "unavailable_after: Wed, 01 Jul 2026 10:00:00 GMT")])
    before, after = datetime(2026, 7, 1, 9, tzinfo=UTC), datetime(2026, 7, 1, 11, tzinfo=UTC)
    assert [outcome("ACC-06", home, at=at).verdict for at in (before, after)] == ["passed", "failed"]
    for_one = page(header=[("x-robots-tag", "googlebot: unavailable_after: 2020-09-21, nosnippet")])
    found = outcome("ACC-06", for_one)
    assert found.verdict == "failed" and found.lost == 0 and "for googlebot" in found.finding
    assert outcome("ACC-06", page(header=[("x-robots-tag", "badbot: unavailable_after: 2020-09-21")])).share == 1.0


def test_a_directive_after_a_date_still_counts():
    home = page(f'<meta name=robots content="unavailable_after: Fri, 25 Jun 2032 15:00:00 GMT, noindex">{TEXT}')
    assert "marked noindex" in outcome("ACC-06", home).finding


@pytest.mark.parametrize("written", ["soon", "", "31/31/2026", "2026-13-01"])
def test_a_date_that_nobody_can_read_is_reported_and_costs_nothing(written):
    found = outcome("ACC-06", page(header=[("x-robots-tag", f"unavailable_after: {written}")]))
    assert (found.verdict, found.share, found.lost) == ("failed", 1.0, 0.0)
    assert "no date that crawlers read" in found.finding


RUSSIAN = "Наша фирма изготавливает чайники и кружки от 1998 года и чинит каждый из них. " * 20
JAPANESE = "私たちは1998年から、やかんとカップを作っています。" * 20
CHINESE = "我们公司从一九九八年开始生产水壶和杯子。" * 20
GERMAN = "Wir bauen schöne Wasserkocher für Gäste in Köln und Zürich, größer und grüner als früher. " * 15
FRENCH = "Nous fabriquons des bouilloires très élégantes, réparées à la main depuis des années. " * 15
VIETNAMESE = "Chúng tôi sản xuất ấm đun nước từ năm 1998 và sửa chữa tất cả các sản phẩm. " * 15
PRAGMA = '<meta http-equiv=content-type content="charset={}">'


def written(text, encoding, head=""):
    return f"<html lang=ru><head>{head}<title>T</title></head><body><main><h1>x</h1><p>{text}</main>".encode(encoding)


@pytest.mark.parametrize(
    ("text", "encoding", "header", "head", "why"),
    [
        (RUSSIAN, "cp1251", "", "", "no charset is declared"),
        (RUSSIAN, "koi8-r", "", "", "no charset is declared"),
        (JAPANESE, "shift_jis", "", "", "no charset is declared"),
        (CHINESE, "gbk", "", "", "no charset is declared"),
        (GERMAN, "latin-1", "", "", "no charset is declared"),
        (RUSSIAN, "cp1251", "utf-8", "", "is a wrong one"),
        (RUSSIAN, "cp1251", "utf-8", "<meta charset=windows-1251>", "is a wrong one"),
        (GERMAN, "latin-1", "", "<meta charset=utf-8>", "is a wrong one"),
        (GERMAN, "utf-8", "iso-8859-1", "", "is a wrong one"),
        (RUSSIAN, "cp1251", "iso-8859-1", "", "is a wrong one"),
    ],
)
def test_characters_that_cannot_be_read_are_one_finding_and_have_no_language(text, encoding, header, head, why):
    content_type = f"text/html; charset={header}" if header else "text/html"
    home = page(written(text, encoding, head), content_type=content_type)
    found = outcome("REN-04", home)
    assert "its characters cannot be read" in found.finding and why in found.finding
    assert home.parsed.lang_detected == "" and outcome("STR-07", home).verdict == "not_applicable"


def test_reported_page_in_an_undeclared_charset():
    home = page(reference_file("field-cases/audit/s4_cp1251_undeclared.html").read_bytes())
    assert "no charset is declared" in outcome("REN-04", home).finding


@pytest.mark.parametrize(
    ("text", "encoding", "header", "head"),
    [
        (RUSSIAN, "utf-8", "", ""),
        (RUSSIAN, "utf-8", "utf8", ""),
        (JAPANESE, "utf-8", "", '<meta charset="utf8">'),
        (RUSSIAN, "cp1251", "", PRAGMA.format("windows-1251")),
        (JAPANESE, "shift_jis", "Shift_JIS", ""),
        (CHINESE, "gb2312", "", "<meta charset=gb2312>"),
        (GERMAN, "utf-16", "", ""),
        (GERMAN, "utf-16-le", "utf-16le", ""),
        (FRENCH, "latin-1", "iso-8859-1", ""),
        (VIETNAMESE, "utf-8", "utf-8", ""),
        ("Plain words. " * 40, "ascii", "", ""),
        ("Plain words. " * 40, "ascii", "iso-8859-1", ""),
        (f"{GERMAN}\ufffd\ufffd\ufffd", "utf-8", "utf-8", ""),
    ],
)
def test_a_page_in_its_own_charset_is_right(text, encoding, header, head):
    content_type = f"text/html; charset={header}" if header else "text/html"
    assert outcome("REN-04", page(written(text, encoding, head), content_type=content_type)).verdict == "passed"


def test_a_stray_byte_spoils_no_page():
    for content_type in ("text/html", "text/html; charset=utf-8"):
        home = page(written(GERMAN, "utf-8") + b"<p>\xff", content_type=content_type)
        assert (home.parsed.illegible, home.parsed.lang_detected) == ("", "de")


RULES = "User-agent: *\nDisallow: /\n"


@pytest.mark.parametrize(
    ("robots", "says"),
    [
        (RULES.encode("utf-16"), "UTF-16"),
        (RULES.encode("utf-16-le"), "UTF-16"),
        (RULES.encode("utf-32"), "UTF-16"),
        (b"<!-- built --><html><title>Acme</title>", "web page"),
        (b"\n<!-- a -->\n <!-- b -->\r\n<!DOCTYPE html>\n<title>Acme</title>", "web page"),
        (b"\xef\xbb\xbf<!doctype html>", "web page"),
        (b"<title>Acme</title><p>Kettles", "web page"),
        (b'{"error": "not found"}', "no line"),
        (b"Not found", "no line"),
    ],
)
def test_a_robots_txt_that_no_crawler_can_read_is_a_finding(robots, says):
    found = outcome("ACC-04", page(), robots=robots)
    assert found.verdict == "failed" and says in found.finding


@pytest.mark.parametrize("robots", [b"", b"# nothing is barred\n", f"\ufeff{RULES}".encode(), b"Sitemap: /s.xml"])
def test_a_robots_txt_that_crawlers_read_passes(robots):
    assert outcome("ACC-04", page(), robots=robots).verdict == "passed"


def test_a_comment_of_html_before_rules_leaves_them_rules():
    rules = parse_robots(b"<!-- Acme -->\nUser-agent: *\nDisallow: /private")
    assert not rules.is_html and not rules.allows("GPTBot", f"{HOME}private")


def test_reported_robots_txt_in_utf_16():
    robots = reference_file("field-cases/audit/s6_robots_utf16.txt").read_bytes()
    assert outcome("ACC-04", page(), robots=robots).verdict == "failed"


def naming(path, *canonicals, header=""):
    """A page that names canonical addresses in its HTML and its Link header."""
    links = "".join(f'<link rel="canonical" href="{url}">' for url in canonicals)
    return page(links + TEXT, path, [("link", header)] if header else ())


@pytest.mark.parametrize(
    ("pages", "says", "wrong"),
    [
        ([("a", "b"), ("b", "a")], "2 pages in a loop", 2),
        ([("a", "b"), ("b", "c"), ("c", "a")], "3 pages in a loop", 3),
        ([("a", "b"), ("b", "c"), ("c", "b")], "3 pages in a loop", 3),
        ([("a", "b"), ("b", "c"), ("c", "c")], "1 page with one that names another in its turn (a chain)", 1),
    ],
)
def test_canonical_addresses_that_do_not_end_at_once_are_reported(pages, says, wrong):
    every = [naming(path, HOME + canonical) for path, canonical in pages]
    found = outcome("DIS-04", naming("", HOME), *every)
    assert says in found.finding and found.affected == wrong and " → " in found.evidence[0].quote


@pytest.mark.parametrize(
    ("header", "verdict"),
    [
        (f'<{HOME}other>; rel="canonical"', "failed"),
        ("</other>;rel=canonical", "failed"),
        (f'</style.css>; rel=preload, <{HOME}other>; type="text/html"; rel="alternate canonical"', "failed"),
        (f'<{HOME}a>; rel="canonical"', "passed"),
        (f'<{HOME}other>; rel="alternate"; hreflang="de"', "passed"),
    ],
)
def test_a_link_header_that_contradicts_the_tag_is_reported(header, verdict):
    found = outcome("DIS-04", naming("", HOME), naming("a", f"{HOME}a", header=header))
    assert found.verdict == verdict
    if verdict == "failed":
        assert "another in the Link header" in found.finding and "other" in found.evidence[0].quote


def test_a_copy_that_names_its_original_and_a_header_alone_are_right():
    copy = naming("print", f"{HOME}a")
    in_header = naming("b", header=f'<{HOME}b>; rel="canonical"')
    assert outcome("DIS-04", naming("", HOME), naming("a", f"{HOME}a"), copy, in_header).verdict == "passed"


ENTRY = f"<url><loc>{HOME}a</loc></url>"


@pytest.mark.parametrize(
    "body",
    [
        f"<urlset><urlset>{ENTRY}</urlset></urlset>",
        f"<urlset><url>{ENTRY}{ENTRY}</url></urlset>",
        f"<urlset><group>{ENTRY}</group></urlset>",
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><urlset>{ENTRY}</urlset></urlset>',
        f"<sitemapindex><sitemapindex><sitemap><loc>{HOME}s.xml</loc></sitemap></sitemapindex></sitemapindex>",
        reference_file,
    ],
)
def test_a_sitemap_that_lists_its_addresses_one_level_too_deep_says_so(body):
    sent = body("field-cases/audit/s7_sitemap_nested_urlset.xml").read_bytes() if callable(body) else body.encode()
    assert "lists its addresses one level too deep" in read_sitemap(sent, url=f"{HOME}sitemap.xml").problem


def test_addresses_of_pictures_and_empty_entries_are_not_too_deep():
    image = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    picture = f"<image:image><image:loc>{HOME}a.png</image:loc></image:image>"
    whole = f"<urlset {image}><url><loc>{HOME}a</loc>{picture}</url></urlset>"
    assert read_sitemap(whole.encode(), url=HOME).problem == ""
    assert "lists no address" in read_sitemap(b"<urlset><url><loc></loc></url></urlset>", url=HOME).problem


def test_a_finding_on_structured_data_claims_only_what_is_read():
    home = page(reference_file("field-cases/audit/s9_rdfa_home.html").read_bytes())
    assert "no Organization in JSON-LD or microdata" in outcome("SCH-02", home).finding


def test_a_judgement_of_all_checks_takes_every_kind():
    pages = [page("<body></body>"), naming("a", f"{HOME}b"), naming("b", f"{HOME}a")]
    failed = {finding.check.id for finding in judge(site(*pages, robots=RULES.encode("utf-16"))).findings}
    assert {"REN-01", "DIS-04", "ACC-04"} <= failed


TESTS = {
    "Anubis": "<title>Making sure you&#39;re not a bot!</title><script id=anubis_challenge type=application/json>{}"
    "</script><main><h1>Making sure you&#39;re not a bot!</h1></main>",
    "DDoS-Guard": "<title>DDOS-GUARD</title><h1>Checking your browser before accessing acme.example</h1>"
    "<script src=/.well-known/ddos-guard/js-challenge/index.js></script>",
    "Sucuri": "<html><title>You are being redirected...</title><noscript>Javascript is required.</noscript>"
    "<script>var s={},sucuri_cloudproxy_js='',S='cz0i';eval(S);</script></html>",
    "a product that nobody knows": "<title>One moment</title><h1>Please prove you are human</h1><p>Ray {}</p>"
    "<script>solve('{}')</script>",
    "a check of the browser": "<title>Wait</title><p>Checking if your browser is secure. <a href=''>Again</a>"
    "<script src=/c.js></script>",
    "a form": "<title>Un instant</title><p>Vérifiez que vous êtes un humain</p><form method=post><input></form>",
    "without scripts": "<title>Проверка</title><p>Проверка браузера</p><meta http-equiv=refresh content=3>",
}


@pytest.mark.parametrize("body", TESTS.values(), ids=TESTS)
@pytest.mark.parametrize("robots", ["", "User-agent: *\nAllow: /"])
def test_a_site_behind_a_bot_test_is_refused_whatever_the_status(body, robots):
    behind = WebSite(otherwise=lambda path: Answer(body.replace("{}", hashlib.sha256(path.encode()).hexdigest())))
    if robots:
        behind.robots(robots)
    with pytest.raises(NotAudited) as refused:
        audited(behind)
    assert refused.value.code == "site_refused" and "prove that they are people" in refused.value.message


def test_reported_test_for_people():
    body = reference_file("field-cases/audit/s3_anubis_200.html").read_bytes()
    with pytest.raises(NotAudited) as refused:
        audited(WebSite(otherwise=lambda path: Answer(body)))
    assert refused.value.code == "site_refused"


@pytest.mark.parametrize(
    "body",
    [
        "<title>Acme</title><div id=root></div><noscript>Enable JavaScript</noscript><script src=/a.js></script>",
        "<title>Acme</title><h1>Coming soon</h1><p>Kettles, soon.</p><script src=/count.js></script>",
        "<title>A</title><meta name=description content=Robots><p>Robots for humans.</p><script src=/a.js></script>",
        "<title>Acme</title><p>Robots for humans. <a href=/shop>Shop</a></p><script src=/a.js></script>",
        f"<title>Acme</title><p>{'Robots for humans, checked by hand. ' * 30}</p><script src=/a.js></script>",
    ],
)
def test_a_short_page_that_answers_everywhere_is_no_test(body):
    assert audited(WebSite(otherwise=lambda path: Answer(body))).score is not None


def test_a_short_page_about_robots_whose_missing_pages_are_missing_is_no_test():
    small = WebSite()
    small.pages["/"] = Answer("<title>Acme</title><p>Robots for humans.</p><script src=/a.js></script>")
    assert audited(small).score is not None


@pytest.mark.parametrize(
    ("robots", "says"),
    [
        (
            b"User-agent: *\nCrawl-delay: 60",
            "asks for 60 seconds between requests (Crawl-delay), of which it waited 5",
        ),
        (b"User-agent: OurBot\nCrawl-delay: 2.5", "asks for 2.5 seconds between requests (Crawl-delay)."),
        (b"User-agent: GPTBot\nCrawl-delay: 60", ""),
        (b"User-agent: *\nCrawl-delay: 0.1", ""),
        (b"", ""),
    ],
)
def test_a_slow_audit_says_why(robots, says):
    reason = judge(site(page(), robots=robots)).slowed
    assert says in reason and bool(says) == bool(reason)


def test_a_slow_audit_counts_what_was_asked_under_the_names_of_crawlers():
    probe = AgentProbe("GPTBot", "training", HOME, Fetched(HOME, 200), "same")
    slow = replace(site(page(), robots=b"User-agent: *\nCrawl-delay: 9"), agents=(probe,) * 3)
    assert "3 of them were made under the names of AI crawlers" in judge(slow).slowed
