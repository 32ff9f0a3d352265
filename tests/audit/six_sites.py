"""Six small sites with what goes wrong on real ones, and the findings that an expert would name first of each.

They stand on loopback, where nobody speaks HTTPS: REN-03 is true of all of them.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.audit.sites import HOST, Answer, Request, WebSite

ORIGIN = f"http://{HOST}"
CLOSED = ("GPTBot", "OAI-SearchBot", "ChatGPT-User", "ClaudeBot", "PerplexityBot")
SENTENCES = {
    "en": "Acme makes kettles for people who drink tea all day, and repairs each of them for as long as they live. ",
    "de": "Acme baut Wasserkocher für alle, die den ganzen Tag Tee trinken, und repariert sie, solange es geht. ",
    "fr": "Acme fabrique des bouilloires pour ceux qui boivent du thé toute la journée, et les répare toujours. ",
    "es": "Acme fabrica hervidores para quienes beben té todo el día, y los repara mientras existan las piezas. ",
}


@dataclass(frozen=True)
class Expected:
    """The checks that an expert would name first, the score at most, and why."""

    checks: tuple[str, ...]
    at_most: float
    why: str


def page(
    site: WebSite, path: str, *links: str, lang: str = "en", head: str = "", body: str = "", **said: str
) -> None:
    """A good page: title, description, canonical address, headings, text, navigation; `said` overrides parts."""
    name = path.strip("/").replace("/", " ").replace("-", " ").capitalize() or "Kettles that last"
    canonical = f'<link rel="canonical" href="{ORIGIN}{said.get("canonical", path)}">'
    anchors = "".join(f'<a href="{link}">{link.strip("/") or "Home"}</a> ' for link in links)
    other = f"{name} {path} " * 20
    text = "".join(
        f"<h2>{part} {name}</h2><p>{SENTENCES[lang] * 3}{part} {other}</p>" for part in ("What", "Why", "How")
    )
    site.pages[path] = Answer(
        f'<!doctype html><html lang="{lang}"><head><title>{name} by Acme, {lang}</title>{canonical}{head}'
        f'<meta name="description" content="{name}: what it is and for whom, {lang}.">'
        f'<meta property="og:site_name" content="Acme"></head><body><header><nav>{anchors}</nav></header>'
        f'<main><h1>{name}</h1>{body}{text}</main><footer>Acme Ltd, <a href="mailto:hi@{HOST}">hi@{HOST}</a></footer>'
        "</body></html>"
    )


def data(**node: object) -> str:
    """A block of structured data."""
    return f'<script type="application/ld+json">{json.dumps({"@context": "https://schema.org", **node})}</script>'


PUBLISHER = data(
    **{
        "@graph": [
            {
                "@type": "Organization",
                "name": "Acme",
                "url": ORIGIN,
                "logo": f"{ORIGIN}/logo.png",
                "sameAs": ["https://en.wikipedia.org/wiki/Acme"],
            },
            {"@type": "WebSite", "name": "Acme", "url": ORIGIN},
        ]
    }
)


def _finished(site: WebSite, *listed: str, robots: str = "") -> WebSite:
    """With robots.txt and a sitemap of all pages, each changed on a day of its own."""
    paths = [*site.pages, *listed]
    entries = "".join(
        f"<url><loc>{ORIGIN}{path}</loc><lastmod>2026-0{1 + at % 9}-1{at % 7}</lastmod></url>"
        for at, path in enumerate(paths)
    )
    xml = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
    site.pages["/sitemap.xml"] = Answer(xml, content_type="application/xml")
    site.robots(f"{robots}Sitemap: {ORIGIN}/sitemap.xml\n")
    return site


def good() -> WebSite:
    """Nothing is wrong with it but the missing HTTPS."""
    site, paths = WebSite(), ("/", "/about", "/contact", "/kettles", "/spare-parts")
    for path in paths:
        page(site, path, *paths, head=PUBLISHER if path == "/" else "")
    return _finished(site)


def shop() -> WebSite:
    """Its structured data writes thousands as decimals, and robots.txt bars the greater part of its catalogue."""
    site, products = WebSite(), tuple(f"/products/kettle-{number}" for number in range(4))
    links = ("/", "/about", "/contact", "/catalogue/steel/", *products)
    for path in ("/", "/about", "/contact"):
        page(site, path, *links, head=PUBLISHER if path == "/" else "")
    for number, path in enumerate(products):
        offer = {"@type": "Offer", "price": f"1.{number}99", "priceCurrency": "EUR"}
        name = path.strip("/").replace("/", " ").replace("-", " ").capitalize()
        node = data(**{"@type": "Product", "name": name, "offers": offer})
        page(site, path, *links, head=node, body=f"<p class=price>1.{number}99,00 €</p>")
    barred = [f"/catalogue/steel/{number}" for number in range(30)]
    return _finished(site, *barred, robots="User-agent: *\nDisallow: /catalogue/\n\n")


def languages() -> WebSite:
    """Four languages: the French pages name the English ones as canonical, the Spanish address in all lists is gone,
    and the German pages do not name the others."""
    site = WebSite()
    names = ("", "about", "contact", "kettles")
    for lang in SENTENCES:
        for name in names:
            listed = {code: f"/{code}/{name}" for code in SENTENCES} | {"es": f"/es/old-{name}"}
            links = "".join(
                f'<link rel="alternate" hreflang="{code}" href="{ORIGIN}{path}">' for code, path in listed.items()
            )
            canonical = f"/en/{name}" if lang == "fr" else f"/{lang}/{name}"
            trees = [f"/{code}/{other}" for code in SENTENCES for other in names]
            page(site, f"/{lang}/{name}", *trees, lang=lang, head="" if lang == "de" else links, canonical=canonical)
    page(site, "/", *(f"/{code}/" for code in SENTENCES), head=PUBLISHER)
    return _finished(site)


def blog() -> WebSite:
    """An edge refuses AI crawlers by name; robots.txt lets all of them in."""

    def edge(request: Request) -> Answer | None:
        return Answer("Forbidden", 403) if any(name in request.agent for name in CLOSED) else None

    site, posts = WebSite(edge=edge), tuple(f"/blog/tea-{number}" for number in range(5))
    links = ("/", "/about", "/contact", *posts)
    for path in ("/", "/about", "/contact"):
        page(site, path, *links, head=PUBLISHER if path == "/" else "")
    for path in posts:
        page(site, path, *links, body="<p>By <a rel=author href=/about>Ann Lee</a></p>")
    return _finished(site)


def app() -> WebSite:
    """Scripts write every page, and every address answers with the same empty one."""
    shell = (
        "<!doctype html><html lang=en><head><title>Acme kettles online</title></head><body><div id=root></div>"
        "<script src=/app.js></script><noscript>Please enable JavaScript.</noscript></body></html>"
    )
    site = WebSite(otherwise=lambda path: Answer(shell))
    site.robots("User-agent: *\nAllow: /\n")
    return site


def huge() -> WebSite:
    """A sitemap of 49,000 addresses, nearly all of which are gone."""
    site, paths = WebSite(), ("/", "/about", "/contact", "/kettles")
    for path in paths:
        page(site, path, *paths, head=PUBLISHER if path == "/" else "")
    return _finished(site, *(f"/old/{number}" for number in range(49_000 - len(paths))))


SITES: Mapping[Callable[[], WebSite], Expected] = {
    shop: Expected(("ACC-01", "SCH-04", "REN-03"), 50, "Most of the catalogue is barred; then the prices are wrong."),
    languages: Expected(("DIS-04", "REN-03", "DIS-08"), 80, "French is out of the index; then hreflang is broken."),
    blog: Expected(("ACC-03", "REN-03", "FRE-01"), 67, "AI crawlers are turned away at the edge."),
    app: Expected(("REN-01", "DIS-01", "REN-02"), 25, "Without scripts there is nothing, and nothing is missing."),
    huge: Expected(("REN-03", "DIS-02"), 100, "The sitemap is full of pages that are gone."),
    good: Expected(("REN-03",), 100, "Only HTTPS is missing."),
}
