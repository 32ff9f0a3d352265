"""Changes of engines that were found, and events outside that operators write down."""

from django.contrib import admin
from django.db import models
from django.utils.safestring import SafeString

from apikeys.staff import LongList, ReadOnlyAdmin, table
from visibility.models import EngineChange, OutsideEvent


@admin.register(EngineChange)
class EngineChangeAdmin(ReadOnlyAdmin, LongList):
    """From when on an engine's answers have another form, over all brands that ask it."""

    list_display = ("began", "engine", "surface", "market", "wordings")
    list_select_related = ["engine"]
    fields = ("began", "engine", "surface", "market", "wordings", "means", "models_before", "models_after")

    @admin.display(description="features")
    def means(self, change: EngineChange) -> SafeString:
        """Each with its means over wordings."""
        return table(("Feature", "Before", "After"), [(name, *means) for name, means in change.features.items()])


@admin.register(OutsideEvent)
class OutsideEventAdmin(LongList):
    """The calendar: what happened outside, shown on charts and beside changes of brands that ask the engine."""

    list_display = ("day", "text", "engine", "surface", "url")
    list_select_related = ["engine"]
    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}
