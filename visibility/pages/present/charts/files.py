"""Charts as files: SVG with its colours in it, and PNG drawn from that."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from fontpkg_roboto import ROOT as ROBOTO
from resvg_py import svg_to_bytes

from apikeys.text.sentences import one_line
from visibility.pages.present.charts.engines import EnginePanel
from visibility.pages.present.charts.figure import TrendFigure
from visibility.pages.present.charts.intervals import IntervalFigure, IntervalPlot
from visibility.pages.present.charts.texts import fitted
from visibility.pages.present.charts.trend import FONT, LEGEND_MARK, MARGIN, TrendChart
from visibility.pages.present.proof_plot import ProofPlot

TITLE_HEIGHT = 26
"""Above a picture that has no room for a title of its own."""
ZOOM = 2
"""Pixels of a PNG for each unit of its SVG: sharp on screens and slides."""

_NOT_OF_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no document may hold, not even escaped."""
FONTS = [str(path) for path in sorted((ROBOTO / "files").glob("Roboto[[]*.ttf"))]
"""One file with all weights."""


@dataclass(frozen=True, slots=True)
class FileFormat:
    """How a picture becomes a file."""

    content_type: str
    write: Callable[[str], bytes]


def svg_of(figure: TrendFigure) -> str:
    """The wide picture as a document of its own."""
    return _svg_of_trend(figure.name, f"{figure.name}: daily score with its 95 % interval", figure.wide)


def svg_of_panel(brand: str, panel: EnginePanel) -> str:
    """The trend of one engine as a document of its own."""
    title = f"{one_line(brand)} at {panel.name}: daily score with its 95 % interval"
    return _svg_of_trend(panel.name, title, panel.chart)


def svg_of_intervals(brand: str, figure: IntervalFigure) -> str:
    """The brand among its rivals as a document of its own: the wide picture, below a title."""
    plot = figure.wide
    title = f"{one_line(brand)} among its rivals: scores with their 95 % intervals"
    if plot.axis.is_cut:
        title += f"; the axis begins at {plot.axis.first} %"
    return _below_title("visibility/charts/_intervals_svg.html", plot, title)


def svg_of_proof(brand: str, topic: str, verdict: str, plot: ProofPlot) -> str:
    """What became of work on a topic as a document of its own, below a title."""
    place = f"{one_line(brand)} on “{one_line(topic)}”" if topic else one_line(brand)
    return _below_title("visibility/_proof_plot.html", plot, f"{place}: {verdict[:1].lower()}{verdict[1:]}")


def _below_title(template: str, plot: IntervalPlot | ProofPlot, title: str) -> str:
    context = {
        **{"plot": plot, "variant": "wide", "standalone": True, "above": TITLE_HEIGHT},
        **{"height": plot.height + TITLE_HEIGHT, "title": fitted(title, plot.width - MARGIN, FONT + 1)},
    }
    return _document(template, context)


def _svg_of_trend(name: str, title: str, chart: TrendChart) -> str:
    if chart.axis.is_cut:
        title += f"; the axis begins at {chart.axis.first} %"
    context = {
        **{"chart": chart, "name": name, "variant": "wide", "standalone": True},
        "title": fitted(title, chart.frame.width - MARGIN, FONT + 1),
        "own_legend": fitted(name, chart.room - LEGEND_MARK, FONT),
    }
    return _document("visibility/charts/_trend_svg.html", context)


def _document(template: str, context: dict[str, Any]) -> str:
    return _NOT_OF_XML.sub("", render_to_string(template, context)).strip()


def _png(svg: str) -> bytes:
    """Names in scripts that the bundled font does not have are drawn by the fonts of the system, where it has any."""
    return svg_to_bytes(svg_string=svg, zoom=ZOOM, font_files=FONTS, sans_serif_family="Roboto")


FORMATS: Mapping[str, FileFormat] = {
    "svg": FileFormat("image/svg+xml; charset=utf-8", str.encode),
    "png": FileFormat("image/png", _png),
}
"""By the ending of the file's name."""
