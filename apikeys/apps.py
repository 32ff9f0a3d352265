"""The app of accounts and keys."""

from django.apps import AppConfig


class ApiKeysConfig(AppConfig):
    name = "apikeys"
    verbose_name = "Accounts and keys"
