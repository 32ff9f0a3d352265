"""An engine of a provider, made of its protocol, connections and bills."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from visibility.engines.bodies import Body, blank, decode
from visibility.engines.dialect import Dialect
from visibility.engines.failures import body_failure, empty
from visibility.engines.presets import PRESETS
from visibility.engines.pricing import make_bill
from visibility.engines.prose import only_answer, with_lost_sources
from visibility.engines.protocols.agent import Agent
from visibility.engines.protocols.chat import Chat
from visibility.engines.protocols.conversations import Conversations
from visibility.engines.protocols.gemini import Gemini
from visibility.engines.protocols.messages import Messages
from visibility.engines.protocols.responses import Responses
from visibility.engines.transport import Transport
from visibility.engines.types import Bill, Engine, EngineError, EngineSettings, Question, Reply

DIALECTS: dict[str, type[Dialect]] = {
    "agent": Agent,
    "chat": Chat,
    "conversations": Conversations,
    "gemini": Gemini,
    "messages": Messages,
    "responses": Responses,
}


class ProviderEngine(Engine):
    """Asks one provider; sends each question once, or in as many turns as the provider makes of it."""

    def __init__(self, settings: EngineSettings, dialect: Dialect, now: Callable[[], datetime]) -> None:
        self.name = settings.name
        self._settings = settings
        self._dialect = dialect
        self._now = now
        self._transport = Transport(settings, _base_url(settings), dialect.error_of)

    async def ask(self, question: Question) -> Reply:
        """Ask once. Raises EngineError."""
        request: Body | None = self._dialect.request(question)
        at = self._now()
        raws: list[bytes] = []
        turns: list[Body] = []
        while request is not None:
            raw, body = await self._turn(request, turns, at)
            raws.append(raw)
            turns.append(body)
            request = self._dialect.following(request, turns)
        reply = self._read(turns, at)
        # Within JSON, line ends are white space.
        raw = b"\n".join(each.replace(b"\n", b" ") for each in raws) if len(raws) > 1 else raws[0]
        return replace(reply, raw=raw, country=reply.country or self._dialect.country(question))

    async def close(self) -> None:
        """Close connections; safe to repeat."""
        await self._transport.close()

    async def _turn(self, request: Body, before: list[Body], at: datetime) -> tuple[bytes, Body]:
        """The next body, raw and decoded. Raises EngineError with the bill of the turns so far."""
        try:
            raw = await self._transport.post(self._dialect.path, self._dialect.headers(), request)
        except EngineError as error:
            if before:
                error.bill = error.bill or self._bill(before, at)
            raise
        try:
            body = decode(raw)
        except EngineError as error:
            if error.can_retry:
                error.bill = Bill()  # a success, so it is charged
            raise
        if failure := body_failure(self._dialect.error_of(body), is_answer=self._dialect.is_answer(body)):
            counted = before or not self._dialect.usage(body).says_nothing
            failure.bill = self._bill([*before, body], at) if counted else None
            raise failure
        return raw, body

    def _read(self, turns: list[Body], at: datetime) -> Reply:
        bill = self._bill(turns, at)
        try:
            reply = with_lost_sources(only_answer(self._dialect.read(turns)))
            if blank(reply.text) and not (reply.refused or reply.absent):
                raise empty(at_limit=reply.at_limit, max_output_tokens=self._settings.max_output_tokens)
        except EngineError as error:
            error.bill = bill
            raise
        return replace(reply, bill=bill, served_model=self._dialect.served_model(turns[-1]))

    def _bill(self, turns: list[Body], at: datetime) -> Bill:
        model = self._dialect.served_model(turns[-1])
        usages = [self._dialect.usage(body) for body in turns]
        return make_bill(self._settings, self._dialect.preset.pricing, model, usages, at=at)


def utc_now() -> datetime:
    """The present moment."""
    return datetime.now(UTC)


def open_engine(settings: EngineSettings, now: Callable[[], datetime] = utc_now) -> Engine:
    """The engine that the settings describe; it connects when it is first asked. Raises KeyError for no preset.

    Each call is billed at the price of the moment that `now` gives when it begins.
    """
    preset = PRESETS[settings.preset]
    return ProviderEngine(settings, DIALECTS[preset.protocol](settings, preset), now)


def account_digest(settings: EngineSettings) -> str:
    """A digest of the provider's address and key, from which neither can be recovered: 32 hexadecimal digits."""
    return hashlib.sha256(f"{_base_url(settings)}\0{settings.api_key}".encode()).hexdigest()[:32]


def _base_url(settings: EngineSettings) -> str:
    return settings.base_url or PRESETS[settings.preset].base_url
