"""An exchange that is broken off in the moment in which its answer comes."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from visibility.pipeline.ask.ledger import WHOLE, Claim, Grant
from visibility.pipeline.ask.sharing import Shared


def test_an_exchange_cancelled_as_its_answer_comes_is_cancelled():
    """Else whoever exchanges again and again does so for ever, and the run of its asking never ends."""

    async def scenario():
        loop = asyncio.get_running_loop()
        answer = loop.create_future()
        loop.run_in_executor = lambda *_: answer
        with ThreadPoolExecutor(1) as executor:
            exchange = asyncio.create_task(Shared("account", executor).exchange(Claim("run", 0, 1, WHOLE)))
            await asyncio.sleep(0)
            answer.set_result(Grant(WHOLE, 0.0, 0.0))
            exchange.cancel()
            with pytest.raises(asyncio.CancelledError):
                await exchange

    asyncio.run(scenario())
