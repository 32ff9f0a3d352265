"""Floor 1: who is calling and what they may spend."""

from django.apps import AppConfig

from apikeys.signin.limits import LIMITS, attempts_of


class ApikeysConfig(AppConfig):
    name = "apikeys"
    verbose_name = "Accounts and API keys"

    def ready(self) -> None:
        """Refuse a wrong limit at the start, not at the first sign-in."""
        for setting in LIMITS:
            attempts_of(setting)
