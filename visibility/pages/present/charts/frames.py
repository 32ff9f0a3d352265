"""How large pictures are, and where their plot lies in them."""

from dataclasses import dataclass

from visibility.pages.present.charts.axes import ValueAxis


@dataclass(frozen=True, slots=True)
class Frame:
    """The size of a picture, in the units of its viewBox, and what is left free around the plot: above it stands what
    the dot tells that one points at."""

    width: int
    height: int
    ticks: int
    left: float = 46.0
    right: float = 14.0
    top: float = 60.0
    bottom: float = 28.0

    @property
    def plot_right(self) -> float:
        """Where the plot ends."""
        return self.width - self.right

    @property
    def plot_bottom(self) -> float:
        """Where its values begin."""
        return self.height - self.bottom

    @property
    def plot_height(self) -> float:
        """From the plot's top to its bottom."""
        return self.plot_bottom - self.top

    def y(self, axis: ValueAxis, percent: float) -> float:
        """The height of a value."""
        return round(self.plot_bottom - self.plot_height * axis.part(percent), 1)


WIDE = Frame(900, 300, ticks=6)
HALF = Frame(680, 240, ticks=4)
"""On paper."""
COLUMN = Frame(480, 190, ticks=3, left=50.0, right=12.0, top=54.0)
"""Beside other columns."""
NARROW = Frame(380, 300, ticks=2)
