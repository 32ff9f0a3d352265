"""The base of all protocols: how a question becomes a request, and how the bodies of the answer are read."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from visibility.engines.bodies import Body, text
from visibility.engines.presets import Preset
from visibility.engines.pricing import Usage
from visibility.engines.types import EngineSettings, Question, Reply


class Dialect(ABC):
    """One protocol with the settings of one engine."""

    answer_fields: tuple[str, ...]
    """The fields of which every answer has one, and no error has."""

    def __init__(self, settings: EngineSettings, preset: Preset) -> None:
        self.settings = settings
        self.preset = preset

    @property
    def searches(self) -> bool:
        """Whether the engine may search: the settings ask for it, and the provider can."""
        return self.settings.search and bool(self.preset.search_tool)

    @property
    @abstractmethod
    def path(self) -> str:
        """Where requests go, after the base URL."""

    def headers(self) -> dict[str, str]:
        """The headers of each request: by default the key, if there is one."""
        return {"authorization": f"Bearer {self.settings.api_key}"} if self.settings.api_key else {}

    @abstractmethod
    def request(self, question: Question) -> Body:
        """The body of the request."""

    def following(self, request: Body, turns: Sequence[Body]) -> Body | None:
        """The request that continues a paused answer; None where the answer has ended, as most have."""
        return None

    def error_of(self, body: Body) -> Body:
        """A body that may be an error, in the common form `{"error": {"code", "message", "retry_after"}}` (seconds),
        which most protocols use anyway; other bodies as they are. `failures` reads codes and messages."""
        return body

    def is_answer(self, body: Body) -> bool:
        """Whether a body has what every answer has, however empty."""
        return any(field in body for field in self.answer_fields)

    @abstractmethod
    def usage(self, body: Body) -> Usage:
        """The tokens and searches that one body counts, whether it is an answer or an error."""

    def served_model(self, body: Body) -> str:
        """The model that answered."""
        return text(body.get("model"))

    @abstractmethod
    def read(self, turns: Sequence[Body]) -> Reply:
        """The answer in the turns, mostly one, without bill, model and raw body, which the caller adds.

        Raises EngineError where they lack what every answer has.
        """

    def country(self, question: Question) -> str:
        """The country to give to the search; empty without one, and where the search takes none."""
        return question.country.upper() if self.searches and self.preset.takes_country else ""

    def instruction(self, question: Question) -> str:
        """A system message with the language and country of the asker; empty where neither is stated, and where the
        search is given the country (the language shows in the question itself)."""
        if self.searches and self.preset.takes_country:
            return ""
        traits = []
        if question.language:
            traits.append(f"whose language is {question.language}")
        if question.country:
            traits.append(f"whose country is {question.country.upper()}")
        return f"Answer as for a person {' and '.join(traits)}." if traits else ""
