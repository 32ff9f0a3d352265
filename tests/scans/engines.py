"""Engines for tests, loaded by their dotted path as any engine outside the project is."""

import asyncio
import os
from collections import Counter
from dataclasses import replace
from decimal import Decimal

from visibility.engines.protocol import Engine, EngineAnswer, EngineError, Source

PATH = "tests.scans.engines"


class Steady(Engine):
    """Answers at once, and names Acme when the question asks for a number that is even."""

    name = "steady"
    concurrency = 4

    async def ask(self, question):
        number = int("".join(filter(str.isdigit, question.text)) or 0)
        name = "Acme" if number % 2 == 0 else "Rival"
        return EngineAnswer(
            text=f"{name} is a good choice.",
            sources=(Source(url="https://acme.example/page?utm_source=x", title="Page"),),
            served_model="steady-1",
            raw=b'{"answer": true}',
        )


class Second(Steady):
    name = "second"


class Costly(Steady):
    """Ten cents an answer."""

    name = "costly"

    async def ask(self, question):
        return replace(await super().ask(question), cost=Decimal("0.10"), cost_source="reported")


class Failing(Engine):
    """Fails each time in the way that the last word of the question says."""

    name = "failing"
    concurrency = 2
    asked = Counter()

    async def ask(self, question):
        self.asked[question.text] += 1
        kind = question.text.split()[-1]
        if kind == "refused":
            raise EngineError("forbidden", "The key is not accepted.", retryable=False)
        if kind == "broken":
            raise RuntimeError("a bug")
        if kind == "empty":
            return EngineAnswer(text="  \n")
        if kind == "flaky" and self.asked[question.text] == 1:
            raise EngineError("rate_limited", "Slow down.", retryable=True, retry_after=0.01)
        return EngineAnswer(text="Acme works.")


class Hostile(Engine):
    """Answers with what no database column takes as it is."""

    name = "hostile"
    concurrency = 1

    async def ask(self, question):
        return EngineAnswer(
            text="NUL \0 and \ud800, then Acme",
            sources=(Source(url="https://x.example/\0", title="\udfff"),),
            served_model="m" * 300,
            usage={"tokens": float("nan"), "\0": [float("inf")]},
            raw=b"\0\xff",
        )


class Slow(Engine):
    """Takes its time and writes down each question that it was asked: one line each, in a file that only grows."""

    name = "slow"
    concurrency = 4

    async def ask(self, question):
        with open(os.environ["SLOW_ENGINE_LOG"], "a") as log:
            log.write(question.text + "\n")
        await asyncio.sleep(float(os.environ.get("SLOW_ENGINE_SECONDS", "0.2")))
        return EngineAnswer(text=f"Acme answers {question.text}", served_model="slow-1")
