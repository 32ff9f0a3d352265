"""What a protocol is made of: how a question becomes a request, and what the bodies of the answer say."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from visibility.engines.bodies import Body, text
from visibility.engines.presets import Preset
from visibility.engines.pricing import Usage
from visibility.engines.types import EngineSettings, Question, Reply


class Dialect(ABC):
    """One protocol as one engine speaks it."""

    def __init__(self, settings: EngineSettings, preset: Preset) -> None:
        self.settings = settings
        self.preset = preset

    @property
    def searches(self) -> bool:
        """Whether the engine may search: it is wanted, and the provider can."""
        return self.settings.search and bool(self.preset.search_tool)

    @property
    @abstractmethod
    def path(self) -> str:
        """Where requests go, after the base URL."""

    def headers(self) -> dict[str, str]:
        """What goes with each request: by default the key, if there is one."""
        return {"authorization": f"Bearer {self.settings.api_key}"} if self.settings.api_key else {}

    @abstractmethod
    def request(self, question: Question) -> Body:
        """The body of the request."""

    def following(self, request: Body, turns: Sequence[Body]) -> Body | None:
        """The request that lets a paused answer go on; None where the answer has ended, as it mostly has."""
        return None

    def error_of(self, body: Body) -> Body:
        """A body that may be an error, in the common form `{"error": {"code", "message", "retry_after"}}` (seconds),
        which most protocols use by themselves; other bodies as they are. `failures` reads codes and messages."""
        return body

    @abstractmethod
    def usage(self, body: Body) -> Usage:
        """What one body counts, be it an answer or none."""

    def served_model(self, body: Body) -> str:
        """The model that answered."""
        return text(body.get("model"))

    @abstractmethod
    def read(self, turns: Sequence[Body]) -> Reply:
        """What the turns, mostly one, say together; its bill, model and raw body are left to whoever asked.

        Raises EngineError where they lack what every answer has.
        """

    def country(self, question: Question) -> str:
        """The country that the search is given; empty where there is none, or where it takes none."""
        return question.country.upper() if self.searches and self.preset.takes_country else ""

    def instruction(self, question: Question) -> str:
        """For whom to answer, as a system message; empty where the search is given the country (the language shows in
        the question itself), or nothing is stated."""
        if self.searches and self.preset.takes_country:
            return ""
        traits = []
        if question.language:
            traits.append(f"whose language is {question.language}")
        if question.country:
            traits.append(f"whose country is {question.country.upper()}")
        return f"Answer as for a person {' and '.join(traits)}." if traits else ""
