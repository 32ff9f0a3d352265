"""A chart as PNG, for slides and letters: the SVG of its page on white, with the light colours of the style sheet."""

import re
from collections.abc import Sequence
from pathlib import Path

from django.utils.html import escape
from django.utils.text import Truncator
from resvg_py import svg_to_bytes

from apikeys.text import clean
from visibility.drawing.charts import HIGH, WIDE

HERE = Path(__file__).parent
FONT = HERE / "font" / "inter.ttf"
"""The font of the pages, unpacked: resvg reads no WOFF2."""
STYLE_SHEET = HERE.parent / "static" / "pages" / "style.css"
WIDTH, HEIGHT, SCALE = 680, 340, 2
"""Pixels of a page, and how many of the picture make one of them."""
LEFT, ABOVE = 46, 74
"""Where the chart begins in the picture: labels lie around it. At WIDTH it is as wide as it is drawn; in a narrower
picture resvg draws strokes a little thinner where they go up and down."""
MOST_LETTERS = 60
TITLE = "font-family:Inter;font-size:18px;font-weight:700;fill:#14171c"
NOTE = "font-family:Inter;font-size:13px;fill:#5b636e"


def draw_picture(chart: str, title: Sequence[str], note: str, *, width: int = WIDTH) -> bytes:
    """The PNG of a trend under a title of several parts and a line of text, twice as large as on a page of so many
    pixels.

    What the font lacks, such as Cyrillic, is drawn with fonts of the machine, where it has them.
    """
    words = [escape(Truncator(clean(part)).chars(MOST_LETTERS)) for part in title]
    lines = f'<tspan font-weight="700">{words[0]}</tspan>{"".join(f" · {word}" for word in words[1:])}'
    place = f'x="{LEFT}" y="{ABOVE}" width="{width - WIDTH + WIDE}" height="{HIGH}"'
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}"><style>{STYLE}</style>'
        f'<rect width="100%" height="100%" fill="#fff"/><text x="16" y="30" style="{TITLE}">{lines}</text>'
        f'<text x="16" y="52" style="{NOTE}">{escape(note)}</text><svg {place} overflow="visible">{chart}</svg></svg>'
    )
    is_covered = all(ord(letter) < LATIN_ENDS for part in title for letter in part)
    png = svg_to_bytes(
        svg_string=drawing, zoom=SCALE, font_files=[str(FONT)], font_family="Inter", skip_system_fonts=is_covered
    )
    return bytes(png)


def light_rules(sheet: str) -> str:
    """The rules of charts in a style sheet of ours, as resvg reads them: light colours in place of variables, numbers
    without `px`, whole hundreds of weight, nothing that needs a pointer or depends on a screen."""
    tokens = dict(re.findall(r"(--[\w-]+):(?:light-dark\()?([^;,)}]+)", sheet))
    everywhere = sheet.partition("@media")[0].splitlines()
    rules = [line for line in everywhere if re.match(r"\.(chart|trend)\b[^:]*\{", line)]
    style = re.sub(r"var\((--[\w-]+)\)", lambda found: tokens[found[1]], "\n".join(rules))
    style = re.sub(r"(?<=\d)px|!important", "", style)
    return re.sub(r"(font-weight:[1-9])50", r"\g<1>00", style)


LATIN_ENDS = 0x100
STYLE = light_rules(STYLE_SHEET.read_text())
