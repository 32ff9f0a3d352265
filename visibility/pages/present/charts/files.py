"""Charts as files: SVG with its colours in it, and PNG drawn from that."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.template.loader import render_to_string
from font_roboto import font_files
from resvg_py import svg_to_bytes

from visibility.pages.present.charts.figure import TrendFigure
from visibility.pages.present.charts.texts import fitted
from visibility.pages.present.charts.trend import FONT, LEGEND_MARK, MARGIN

ZOOM = 2
"""Pixels of a PNG for each unit of its SVG: sharp on screens and slides."""

_NOT_OF_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no document may hold, not even escaped."""
FONTS = [font_files[name] for name in ("Roboto", "RobotoBold")]


@dataclass(frozen=True, slots=True)
class FileFormat:
    """How a picture becomes a file."""

    content_type: str
    write: Callable[[str], bytes]


def svg_of(figure: TrendFigure) -> str:
    """The wide picture as a document of its own."""
    chart = figure.wide
    title = f"{figure.name}: daily score with its 95 % interval"
    if chart.axis.is_cut:
        title += f"; the axis begins at {chart.axis.first} %"
    context = {
        **{"chart": chart, "name": figure.name, "variant": "wide", "standalone": True},
        "title": fitted(title, chart.frame.width - MARGIN, FONT + 1),
        "own_legend": fitted(figure.name, chart.room - LEGEND_MARK, FONT),
    }
    return _NOT_OF_XML.sub("", render_to_string("visibility/charts/_trend_svg.html", context)).strip()


def _png(svg: str) -> bytes:
    """Names in scripts that the bundled font does not have are drawn by the fonts of the system, where it has any."""
    return svg_to_bytes(svg_string=svg, zoom=ZOOM, font_files=FONTS, sans_serif_family="Roboto")


FORMATS: Mapping[str, FileFormat] = {
    "svg": FileFormat("image/svg+xml; charset=utf-8", str.encode),
    "png": FileFormat("image/png", _png),
}
"""By the ending of the file's name."""
