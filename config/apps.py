"""What Django loads of the composition root."""

from django.apps import AppConfig

from config.celery import app as celery_app

__all__ = ["CompositionConfig", "celery_app"]


class CompositionConfig(AppConfig):
    """With it every process of Django knows the queue: who starts a scan announces it there."""

    name = "config"
