"""A writer over an engine: the task in words, the reply as JSON of one form, one more try where it does not do."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from asgiref.sync import async_to_sync
from pydantic import ValidationError

from apikeys.text.untrusted import holds_marks
from visibility.engines.protocol import Engine, EngineAnswer, EngineError, Question
from visibility.writers import instructions
from visibility.writers.markup import foreign_markup
from visibility.writers.protocol import (
    ToolCall,
    Writer,
    WriterError,
    WriterLabel,
    Written,
    WrittenAnswer,
    WrittenDraft,
    WrittenPrompts,
    WrittenStep,
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

    def __init__(
        self, make: Callable[[], Engine], name: str, model: str, *, seconds: float = WRITING_SECONDS
    ) -> None:
        """`make` gives the engine anew for each task: its connections live in one event loop, and are closed
        after."""
        self.label = WriterLabel(kind="engine", name=name, model=model)
        self._make = make
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
        """A page; one with HTML, images or addresses is refused. Raises WriterError."""

        def fault(written: WrittenDraft) -> str:
            return foreign_markup(f"# {written.title}\n\n{written.markdown}")

        return self._write(instructions.for_draft(task), WrittenDraft, fault)

    def answer(self, task: AskTask) -> WrittenAnswer | ToolCall:
        """An answer with the facts and replies it rests on, or a tool to read. An answer that names no facts or
        others is refused, as is a tool that was not offered. Raises WriterError."""
        step = self._write(instructions.for_answer(task), WrittenStep, partial(_fault_of_step, task))
        return step.call or WrittenAnswer(answer=step.answer or "", facts=step.facts)

    def _write(self, text: str, form: type[Form], fault: Callable[[Form], str]) -> Form:
        return async_to_sync(self._written)(instructions.with_form(text, form), form, fault)

    async def _written(self, task: str, form: type[Form], fault: Callable[[Form], str]) -> Form:
        billed, engine = False, self._make()
        try:
            async with asyncio.timeout(self._seconds):
                reply = await self._reply(engine, task)
                billed = True
                written, problem = _read(reply, form, fault)
                if written is None:
                    again = instructions.to_repair(task, reply[:MAX_REPLY_LENGTH], problem)
                    written, problem = _read(await self._reply(engine, again), form, fault)
        except EngineError as error:
            if error.bill:
                logger.info("Nothing written by %s (%s), and charged: %s", self.label.name, error.code, error.bill)
            raise WriterError(error.code, error.message, billed=billed or error.bill is not None) from None
        except TimeoutError:
            # Whether the provider bills what nobody waited for is not known: it counts.
            raise WriterError("timeout", f"Nothing came within {self._seconds:.0f} seconds.", billed=True) from None
        finally:
            await engine.aclose()
        if written is None:
            raise WriterError("bad_reply", f"The reply did not have the form asked for: {problem}", billed=True)
        return written

    async def _reply(self, engine: Engine, task: str) -> str:
        answer: EngineAnswer = await engine.ask(Question(task))
        logger.info(
            "Written by %s (%s): tokens %s, cost %s (%s)",
            self.label.name,
            answer.served_model,
            answer.usage,
            answer.cost,
            answer.cost_source,
        )
        return answer.text


def _fault_of_step(task: AskTask, step: WrittenStep) -> str:
    if step.call is not None:
        names = [tool.name for tool in task.tools]
        if task.calls_left and step.call.tool in names:
            return ""
        return f"No more tool can be read: give the answer. {step.call.tool} is not one of {names}."
    others = [fact_id for fact_id in step.facts if fact_id not in task.ids]
    if others or (task.ids and not step.facts):
        return f"`facts` names {others or 'nothing'}; the ids are {sorted(task.ids)}"
    return foreign_markup(step.answer or "")


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
