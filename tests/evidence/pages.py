"""Small pages for the tests of evidence, parsed as a crawl parses them."""

from visibility.audit.page import ParsedPage
from visibility.audit.parse.parsing import parse_page

HOME = "https://norrvik.example/"
FILLING = {
    "en": "The house stands at the end of the road, and the road ends at the lake where the boats lie. ",
    "de": "Das Haus steht am Ende der Straße, und die Straße endet am See, an dem die Boote liegen. ",
    "fr": "La maison se trouve au bout de la rue, et la rue finit au bord du lac où sont les bateaux. ",
    "it": "La casa sta in fondo alla strada, e la strada finisce al lago dove stanno le barche. ",
    "es": "La casa está al final de la calle, y la calle termina en el lago donde están los barcos. ",
}
"""Sentences that say nothing of a brand: enough of them tell the language and make a main text."""


def page(
    *paragraphs: str, path: str = "", language: str = "en", title: str = "Norrvik", head: str = "", html: str = ""
) -> ParsedPage:
    """A page with these paragraphs before others that say nothing; `html` stands before all."""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in (*paragraphs, FILLING[language] * 8))
    top = f'<!doctype html><html lang="{language}"><head><title>{title}</title>{head}</head>'
    body = f"{top}<body><main>{html}{text}</main></body></html>"
    parsed = parse_page(body.encode(), url=HOME + path, content_type="text/html", is_home=not path)
    assert isinstance(parsed, ParsedPage), parsed
    return parsed
