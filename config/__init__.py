"""The composition root: settings, urls, servers. Nothing imports it but the servers and the commands."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
