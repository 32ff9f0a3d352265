"""The admin as the operators' desk: its menu is in the order of what they do, not of our apps."""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.http import HttpRequest

MENU = {
    "Accounts": ("User", "Group"),
    "Keys": ("ApiKey",),
    "Apps": ("App", "Connection"),
    "Plans": ("Plan",),
    "AI engines": ("Engine",),
    "Brands": ("Brand", "Topic", "Prompt"),
    "Scans": ("Run", "Answer", "DailyScore", "ChangeRecord"),
    "Calls": ("CallLog",),
    "Mail": ("Mail",),
    "Spend": ("ProviderCall",),
}
"""Each part of the menu with its models; what none of them names comes last."""


class Desk(AdminSite):
    """Django's admin with our menu. The page of one app still shows that app."""

    site_header = site_title = "Brand Visibility"
    index_title = "Operator"

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        apps = super().get_app_list(request, app_label)
        if app_label:
            return apps
        models = {model["object_name"]: (app, model) for app in apps for model in app["models"]}
        parts = {name: [models.pop(each) for each in wanted if each in models] for name, wanted in MENU.items()}
        parts["More"] = list(models.values())
        return [_part(name, shown) for name, shown in parts.items() if shown]


def _part(name: str, shown: list[tuple[Any, Any]]) -> dict[str, Any]:
    app, first = shown[0]
    label, address = name.lower().replace(" ", "-"), first["admin_url"] or app["app_url"]
    return {**app, "name": name, "app_label": label, "app_url": address, "models": [each for _, each in shown]}


class DeskConfig(AdminConfig):
    """Makes it `admin.site`."""

    default_site = "config.desk.Desk"
