"""An answer as it is read: parsed once, however many things are looked for in it."""

from collections.abc import Sequence
from functools import cached_property

from visibility.detection.text.closing import end_of_answer
from visibility.detection.text.folding import fold
from visibility.detection.text.labels import Labels
from visibility.detection.text.lines import Lines
from visibility.detection.text.mapped import MappedText
from visibility.detection.text.markdown import Block, parse
from visibility.detection.text.visible import VisibleText, visible
from visibility.engines.protocol import Source


class Reading:
    """An answer and its sources. Each part is worked out when it is first asked for; not to be shared by threads."""

    def __init__(self, text: str, sources: Sequence[Source] = ()) -> None:
        self.text = text
        self.sources = sources

    @cached_property
    def blocks(self) -> Sequence[Block]:
        """All blocks that may hold prose, as `parse` gives them."""
        return tuple(parse(self.text))

    @cached_property
    def seen(self) -> VisibleText:
        """What a reader sees of it, up to where it ends: what it says for itself behind that is left out."""
        end = end_of_answer(self.text)
        return visible(self.blocks if end == len(self.text) else parse(self.text[:end]), self.sources)

    @cached_property
    def folded(self) -> MappedText:
        """The visible text, folded."""
        return fold(self.seen.prose.text)

    @cached_property
    def lines(self) -> Lines:
        """The lines of the visible text."""
        return Lines(self.seen)

    @cached_property
    def labels(self) -> Labels:
        """The labels around its words."""
        return Labels(self.lines)
