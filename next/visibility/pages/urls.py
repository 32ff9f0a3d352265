"""The addresses of the pages: fourteen for people, and those that their forms post to."""

from django.urls import path

from visibility.pages import (
    account,
    add,
    audit,
    competitors,
    history,
    overview,
    prompts,
    settings,
    sources,
    todo,
    writing,
)

urlpatterns = [
    path("", overview.portfolio, name="start"),
    path("account", account.account, name="account"),
    path("method", account.method, name="method"),
    path("brands/add", add.add, name="add-brand"),
    path("brands/<uuid:brand_id>", overview.brand, name="brand"),
    path("brands/<uuid:brand_id>/more", overview.more, name="brand-more"),
    path("brands/<uuid:brand_id>/todo", todo.todo, name="brand-todo"),
    path("brands/<uuid:brand_id>/todo/<uuid:recommendation_id>", todo.item, name="brand-todo-item"),
    path("brands/<uuid:brand_id>/drafts/<uuid:draft_id>", writing.draft, name="brand-draft"),
    path("brands/<uuid:brand_id>/history", history.history, name="brand-history"),
    path("brands/<uuid:brand_id>/prompts", prompts.prompts, name="brand-prompts"),
    path("brands/<uuid:brand_id>/prompts/<uuid:prompt_id>", prompts.answers, name="brand-prompt"),
    path("brands/<uuid:brand_id>/competitors", competitors.competitors, name="brand-competitors"),
    path("brands/<uuid:brand_id>/sources", sources.sources, name="brand-sources"),
    path("brands/<uuid:brand_id>/audit", audit.audit, name="brand-audit"),
    path("brands/<uuid:brand_id>/settings", settings.settings, name="brand-settings"),
    path("brands/<uuid:brand_id>/do/decide", todo.decide_act, name="brand-decide"),
    path("brands/<uuid:brand_id>/do/write", writing.write_act, name="brand-write"),
    path("brands/<uuid:brand_id>/do/audit", audit.audit_act, name="brand-start-audit"),
    path("brands/<uuid:brand_id>/do/scan", settings.scan_act, name="brand-scan"),
    path("brands/<uuid:brand_id>/do/update", settings.update_act, name="brand-update"),
    path("brands/<uuid:brand_id>/do/invite", settings.invite_act, name="brand-invite"),
    path("brands/<uuid:brand_id>/do/withdraw", settings.withdraw_act, name="brand-withdraw"),
    path("brands/<uuid:brand_id>/do/delete", settings.delete, name="brand-delete"),
    path("brands/<uuid:brand_id>/do/add-prompts", prompts.add_act, name="brand-add-prompts"),
    path("brands/<uuid:brand_id>/do/change-prompt", prompts.change_act, name="brand-change-prompt"),
    path("brands/<uuid:brand_id>/do/decide-topic", prompts.decide_act, name="brand-decide-topic"),
    path("brands/<uuid:brand_id>/do/add-competitor", competitors.add_act, name="brand-add-competitor"),
]
