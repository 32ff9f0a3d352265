"""The Django project itself, as an app: so that its commands and system checks are found."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401, PLC0415 - registers its checks, which need the loaded settings
