"""Engines for the loop, loaded by their dotted path. What they answer follows from the question, the day and a table
of how often they name the brand on each topic: never from chance of the moment."""

import random
from collections import Counter

from visibility.engines.protocol import Engine, EngineAnswer

PATH = "tests.loop.engines"


class Script:
    """What the engines do on the day: `rates` are how often they name the brand, by topic."""

    seed = 0
    day = 0
    rates: dict[str, float] = {}
    numbers: Counter[tuple[str, str]] = Counter()

    @classmethod
    def play(cls, *, seed, day, rates):
        """From now on: these rates, and the answers of this day."""
        cls.seed, cls.day, cls.rates = seed, day, rates
        cls.numbers.clear()

    @classmethod
    def names_brand(cls, engine, text):
        """Whether the next answer of the engine to this question names the brand. Questions differ: some are twice as
        likely to as others."""
        cls.numbers[engine, text] += 1
        topic = next(topic for topic in cls.rates if topic in text)
        easy = random.Random(f"{cls.seed} {text}").uniform(0.7, 1.3)
        draw = random.Random(f"{cls.seed} {cls.day} {engine} {text} {cls.numbers[engine, text]}").random()
        return draw < min(1.0, cls.rates[topic] * easy)


class Chat(Engine):
    """Names Zentrix in every answer, and Acme as often as the script says."""

    name = "chat"
    concurrency = 4

    async def ask(self, question):
        acme = "Acme and " if Script.names_brand(self.name, question.text) else ""
        return EngineAnswer(text=f"{acme}Zentrix are good choices.", served_model=f"{self.name}-1")


class Search(Chat):
    name = "search"
