"""One call of one engine, with every way it can end turned into an answer or an error."""

import asyncio
import logging

from visibility.engines.bodies import blank
from visibility.engines.nothing import empty
from visibility.engines.protocol import Engine, EngineAnswer, EngineError, Question

logger = logging.getLogger(__name__)

ANSWER_SECONDS = 300.0


async def ask_once(engine: Engine, question: Question) -> EngineAnswer | EngineError:
    """Ask; an engine that breaks costs its answer, never the run."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            answer = await engine.ask(question)
    except EngineError as error:
        return error
    except TimeoutError:
        message = f"No answer came within {ANSWER_SECONDS:.0f} seconds."
        return EngineError("timeout", message, retryable=True)
    except Exception as error:
        logger.exception("Engine %s broke", engine.name)
        return EngineError("engine_fault", f"The engine failed with {type(error).__name__}.", retryable=False)
    if blank(answer.text) and not answer.refused:
        return empty(answer.bill)
    return answer
