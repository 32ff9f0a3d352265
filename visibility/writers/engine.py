"""A writer over an engine: the task in words, the reply as JSON of one form, one more try where it does not do."""

import asyncio
import logging
from collections.abc import Callable
from typing import TypeVar

from asgiref.sync import async_to_sync
from pydantic import ValidationError

from apikeys.text.untrusted import holds_marks
from visibility.engines.protocol import Engine, EngineAnswer, EngineError, Question
from visibility.writers import instructions
from visibility.writers.markup import MARK, foreign_markup, source_list
from visibility.writers.protocol import (
    Writer,
    WriterError,
    WriterLabel,
    Written,
    WrittenAnswer,
    WrittenDraft,
    WrittenPrompts,
    WrittenWording,
)
from visibility.writers.tasks import AskTask, DraftTask, PromptsTask, RefineTask
from visibility.writers.words import names_any

logger = logging.getLogger(__name__)

WRITING_SECONDS = 150.0
"""How long one task may take, its second try included."""
MAX_REPLY_LENGTH = 20_000
"""Characters of a reply that did not do that are shown again."""
HOLDS_MARKS = "It contains marks of quotes. Leave them out."

Form = TypeVar("Form", bound=Written)


class EngineWriter(Writer):
    """Writes by asking an engine. What the engine says is checked before anyone sees it: form, addresses, names."""

    def __init__(self, engine: Engine, model: str, *, seconds: float = WRITING_SECONDS) -> None:
        self.label = WriterLabel(kind="engine", name=engine.name, model=model)
        self._engine = engine
        self._seconds = seconds

    def prompts(self, task: PromptsTask) -> WrittenPrompts:
        """Questions; those that name the brand are refused. Raises WriterError."""

        def fault(written: WrittenPrompts) -> str:
            if not written.prompts:
                return "No question was written."
            if any(holds_marks(prompt.text) or holds_marks(prompt.topic) for prompt in written.prompts):
                return HOLDS_MARKS
            branded = [prompt.text for prompt in written.prompts if names_any(prompt.text, task.subject.names)]
            return f"This question names the brand: {branded[0]}" if branded else ""

        written = self._write(instructions.for_prompts(task), WrittenPrompts, fault)
        return WrittenPrompts(prompts=written.prompts[: task.count])

    def refine(self, task: RefineTask) -> WrittenWording:
        """The question in other words. Raises WriterError."""

        def fault(written: WrittenWording) -> str:
            return HOLDS_MARKS if holds_marks(written.text) else ""

        return self._write(instructions.for_refining(task), WrittenWording, fault)

    def draft(self, task: DraftTask) -> WrittenDraft:
        """A page and the sources it names; one with HTML, images or addresses is refused. Raises WriterError."""

        def fault(written: WrittenDraft) -> str:
            return foreign_markup(f"# {written.title}\n\n{written.markdown}")

        draft = self._write(instructions.for_draft(task), WrittenDraft, fault)
        sources = source_list(task, set(MARK.findall(draft.markdown)))
        return draft.model_copy(update={"markdown": f"{draft.markdown}\n\n{sources}".rstrip()})

    def answer(self, task: AskTask) -> WrittenAnswer:
        """An answer with the facts it rests on; one that names none or others is refused. Raises WriterError."""
        known = {fact.id for fact in task.facts}

        def fault(written: WrittenAnswer) -> str:
            others = [fact_id for fact_id in written.facts if fact_id not in known]
            if others or (known and not written.facts):
                return f"`facts` names {others or 'nothing'}; the ids are {sorted(known)}"
            return foreign_markup(written.answer)

        return self._write(instructions.for_answer(task), WrittenAnswer, fault)

    def _write(self, text: str, form: type[Form], fault: Callable[[Form], str]) -> Form:
        return async_to_sync(self._written)(instructions.with_form(text, form), form, fault)

    async def _written(self, task: str, form: type[Form], fault: Callable[[Form], str]) -> Form:
        billed = False
        try:
            async with asyncio.timeout(self._seconds):
                reply = await self._reply(task)
                billed = True
                written, problem = _read(reply, form, fault)
                if written is None:
                    again = instructions.to_repair(task, reply[:MAX_REPLY_LENGTH], problem)
                    written, problem = _read(await self._reply(again), form, fault)
        except EngineError as error:
            if error.bill:
                logger.info("Nothing written by %s (%s), and charged: %s", self.label.name, error.code, error.bill)
            raise WriterError(error.code, error.message, billed=billed or error.bill is not None) from None
        except TimeoutError:
            # Whether the provider bills what nobody waited for is not known: it counts.
            raise WriterError("timeout", f"Nothing came within {self._seconds:.0f} seconds.", billed=True) from None
        finally:
            await self._engine.aclose()
        if written is None:
            raise WriterError("bad_reply", f"The reply did not have the form asked for: {problem}", billed=True)
        return written

    async def _reply(self, task: str) -> str:
        answer: EngineAnswer = await self._engine.ask(Question(task))
        logger.info(
            "Written by %s (%s): tokens %s, cost %s (%s)",
            self.label.name,
            answer.served_model,
            answer.usage,
            answer.cost,
            answer.cost_source,
        )
        return answer.text


def _read(reply: str, form: type[Form], fault: Callable[[Form], str]) -> tuple[Form | None, str]:
    """What the reply holds, or why it will not do. Text around its JSON object is passed over."""
    try:
        written = form.model_validate_json(reply[reply.find("{") : reply.rfind("}") + 1])
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the reply"
        return None, f"{place}: {first['msg']}"[:300]
    problem = fault(written)
    return (None, problem) if problem else (written, "")
