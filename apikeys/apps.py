"""Floor 1: who is calling and what they may spend."""

from django.apps import AppConfig


class ApikeysConfig(AppConfig):
    name = "apikeys"
    verbose_name = "Accounts and API keys"
