"""The writer that is always there: templates, rules and quoted evidence. It costs nothing and invents nothing."""

from visibility.writers.drafting import compose
from visibility.writers.protocol import (
    Writer,
    WriterLabel,
    WrittenAnswer,
    WrittenDraft,
    WrittenPrompts,
    WrittenWording,
)
from visibility.writers.refining import refine
from visibility.writers.suggesting import suggest
from visibility.writers.tasks import AskTask, DraftTask, PromptsTask, RefineTask

NAME = "embedded"
NO_FACTS = (
    "Nothing that is stored answers the question. Ask about scores, changes, competitors, gaps, recommendations, "
    "prompts, content, runs or quotas."
)
WITHHELD = (
    "Nothing that this key may read answers the question: it lacks {scopes}. Ask with a key "
    "that has them, or about something else."
)


class EmbeddedWriter(Writer):
    """The same task gets the same words."""

    label = WriterLabel(kind="embedded", name=NAME)

    def prompts(self, task: PromptsTask) -> WrittenPrompts:
        """Questions from templates. Raises CannotWrite."""
        return suggest(task)

    def refine(self, task: RefineTask) -> WrittenWording:
        """The question changed by rule. Raises CannotWrite."""
        return refine(task)

    def draft(self, task: DraftTask) -> WrittenDraft:
        """An outline with quotes, whose they are, and marked gaps."""
        return compose(task)

    def answer(self, task: AskTask) -> WrittenAnswer:
        """The facts, one after the other."""
        statements = " ".join(fact.statement for fact in task.facts)
        without = WITHHELD.format(scopes=", ".join(task.withheld)) if task.withheld else NO_FACTS
        return WrittenAnswer(answer=statements or without, facts=[fact.id for fact in task.facts])
