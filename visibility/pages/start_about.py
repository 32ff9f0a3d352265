"""The step of the first hour on who a brand is: what its site and an engine propose, what people tick and type."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.db import transaction
from django.utils.translation import gettext, gettext_lazy

from apikeys.errors import ServiceError
from brands.brands import update_brand
from brands.competitors import add_competitor
from brands.models import LONGEST_DESCRIPTION, LONGEST_NAME, Brand
from visibility.answers.names import uses_of_names
from visibility.audit import Proposal, Proposals
from visibility.audits.words import in_words
from visibility.detection import is_plain
from visibility.models.prompts import topic_title
from visibility.onboarding.site import SiteLook, first_name, look_at
from visibility.onboarding.writing import write_market
from visibility.pages.forms import LONGEST_ADDRESS, LinesField, PageForm, TextField, TicksField
from visibility.pages.frame import Visit, refuse
from visibility.pages.start_forms import Again, labelled
from visibility.runs.writing import writing_engine
from visibility.topics.services import name_own_topics

BLANK_ROWS, MOST_ROWS = 2, 30


class AboutForm(PageForm):
    """Who the brand is and what it sells; what is proposed has a box."""

    beside: ClassVar[dict[str, str]] = {"alias": "more_names", "topic": "more_topics", "topics": "more_topics"}
    name = forms.CharField(label=gettext_lazy("Name, as people write it"), max_length=LONGEST_NAME)
    names = TicksField(label=gettext_lazy("Other names that answers may use"), required=False)
    more_names = LinesField(label=gettext_lazy("More names, one a line"), rows=2, required=False)
    description = TextField(
        label=gettext_lazy("What you sell, in a sentence"),
        max_length=LONGEST_DESCRIPTION,
        required=False,
        help_text=gettext_lazy("It tells you apart where your name is also a word."),
    )
    topics = TicksField(
        label=gettext_lazy("Your topics: needs of buyers. Five to ten are a good start."), required=False
    )
    more_topics = LinesField(label=gettext_lazy("More topics, one a line"), rows=3, required=False)

    def offer(self, names: Sequence[Proposal], topics: Sequence[Proposal]) -> None:
        """Show a box for each of these, and for those that were sent."""
        for field, proposals in (("names", names), ("topics", topics)):
            distinct = {each.text.casefold(): each for each in reversed(proposals)}
            shown = topic_title if field == "topics" else str
            boxes = {
                each.text: labelled(shown(each.text), in_words(each.because)) for each in reversed(distinct.values())
            }
            if self.is_bound:
                sent = self[field].value() or []
                boxes |= {text: labelled(text, "") for text in sent[: TicksField.MOST] if text not in boxes}
            if boxes:
                self.fields[field].choices = list(boxes.items())  # type: ignore[attr-defined]
            else:
                self.fields[field].widget = forms.MultipleHiddenInput()

    @property
    def all_names(self) -> list[str]:
        """The names that are ticked or typed."""
        return _distinct([*self.cleaned_data["names"], *self.cleaned_data["more_names"]])

    @property
    def all_topics(self) -> list[str]:
        """The topics that are ticked or typed."""
        return _distinct([*self.cleaned_data["topics"], *self.cleaned_data["more_topics"]])


class RivalForm(PageForm):
    """One competitor, proposed or typed; a row without words is none."""

    takes = forms.BooleanField(label=gettext_lazy("Track"), required=False, initial=True)
    name = forms.CharField(
        label=gettext_lazy("Competitor, as answers write it"), max_length=LONGEST_NAME, required=False
    )
    domain = forms.CharField(
        label=gettext_lazy("Its site"),
        max_length=LONGEST_ADDRESS,
        required=False,
        widget=forms.TextInput({"placeholder": "example.com"}),
    )
    because = forms.CharField(max_length=500, required=False, widget=forms.HiddenInput)

    @property
    def is_taken(self) -> bool:
        """Whether it says a competitor to track."""
        values = self.cleaned_data
        return bool(values.get("takes") and (values.get("name") or values.get("domain")))

    def clean(self) -> dict[str, Any]:
        """A competitor has a name and a site."""
        if self.is_taken:
            for field, words in (
                ("name", gettext("Write its name.")),
                ("domain", gettext("Give its site, or untick it.")),
            ):
                if field not in self.errors and not self.cleaned_data.get(field):
                    self.add_error(field, words)
        return self.cleaned_data


class Rows:
    """The rows of competitors of a page: as they were sent, or with these first values and some blank ones."""

    def __init__(self, data: Any = None, initial: Sequence[Mapping[str, Any]] = ()) -> None:
        number = _number(data.get("rivals", "")) if data is not None else len(initial) + BLANK_ROWS
        self.forms = [
            RivalForm(
                data,
                key=place,
                prefix=f"rival{place}",
                initial=initial[place] if place < len(initial) else None,
            )
            for place in range(min(number, MOST_ROWS))
        ]

    @property
    def typed(self) -> list[dict[str, Any]]:
        """What the rows with words say, valid or not."""
        values = [
            {name: form[name].value() for name in ("takes", "name", "domain", "because")} for form in self.forms
        ]
        return [row for row in values if row["name"] or row["domain"]]

    @property
    def taken(self) -> list[RivalForm]:
        """The rows with a competitor to track; all are valid."""
        return [form for form in self.forms if form.is_taken]

    def is_valid(self) -> bool:
        """Whether each row is."""
        valid = [form.is_valid() for form in self.forms]
        return all(valid)


def show_about(visit: Visit, form: dict[str, Any]) -> dict[str, Any]:
    """What is stored, and what the site proposes: ticked where it is sure and nothing is decided yet."""
    look = look_at(visit.brand)
    about: AboutForm = form.get("about") or _about_form(visit.brand, look)
    written: Proposals = form.get("written") or Proposals()
    shown = str(about["name"].value()).casefold()
    names = [each for each in look.proposals.names if each.text.casefold() != shown]
    topics = [*_stored_topics(visit.brand), *written.topics, *look.proposals.topics]
    about.offer([*_stored_names(visit.brand), *names], topics)
    return {
        "look": look,
        "about": about,
        "rows": form.get("rows") or Rows(initial=_rivals(visit.brand, look.proposals.competitors)),
        "has_writer": writing_engine() is not None,
        "is_plain": is_plain(visit.brand.name),
        "uses": uses_of_names(visit.brand),
        "tracked": visit.brand.competitors.order_by("created_at", "pk"),
        "room": visit.brand.owner.limit("max_competitors_per_site"),
    }


def _about_form(brand: Brand, look: SiteLook) -> AboutForm:
    """The form with what is stored, and where nothing is decided yet with what the site is sure of."""
    names, topics, said = _stored_names(brand), _stored_topics(brand), look.proposals
    is_guessed = bool(said.names) and brand.name == first_name(brand.domain)
    is_new = not topics and not names
    about = AboutForm(
        initial={
            "name": said.names[0].text if is_guessed else brand.name,
            "names": [each.text for each in (*names, *(said.names if is_new else ()))],
            "description": brand.description or look.description,
            "topics": [each.text for each in topics or said.topics if each.is_sure],
        }
    )
    if is_guessed:
        about.fields["name"].help_text = gettext("From {place}.").format(place=in_words(said.names[0].because))
    return about


def _rivals(brand: Brand, proposals: Iterable[Proposal]) -> list[dict[str, Any]]:
    """Rows for those that are not tracked."""
    known = {name.casefold() for name in brand.competitors.values_list("name", flat=True)}
    return [_proposed_row(each) for each in proposals if each.text.casefold() not in known]


def _stored_names(brand: Brand) -> list[Proposal]:
    names = brand.names.filter(competitor=None, is_main=False).values_list("text", flat=True)
    return [Proposal(name, gettext("yours")) for name in names]


def _stored_topics(brand: Brand) -> list[Proposal]:
    return [
        Proposal(name, gettext("yours")) for name in brand.topics.exclude(own=False).values_list("name", flat=True)
    ]


def save_about(visit: Visit) -> str | Again:
    """Store what is ticked and typed, or propose more."""
    post = visit.request.POST
    about, rows = AboutForm(post), Rows(post)
    if "suggest" in post:
        return _with_market(visit, about, rows)
    is_valid = about.is_valid() & rows.is_valid()
    if not is_valid or not _stored(visit, about, rows):
        return Again({"about": about, "rows": rows})
    if is_plain(visit.brand.name):
        words = gettext("“{name}” is plain language, too: it counts only where an answer means you.")
        messages.warning(visit.request, words.format(name=visit.brand.name))
    return "prompts"


def _stored(visit: Visit, about: AboutForm, rows: Rows) -> bool:
    """Store all of it or nothing; what is refused is beside its field."""
    at: dict[str, Any] = {"brand_id": visit.brand.pk}
    values = about.cleaned_data
    try:
        with transaction.atomic():
            with _refused_in(visit, about):
                names = [name for name in about.all_names if name.casefold() != values["name"].casefold()]
                described = {"description": values["description"]}
                update_brand(visit.caller, **at, name=values["name"], aliases=names, **described)
                name_own_topics(visit.caller, **at, names=about.all_topics)
            for row in rows.taken:
                with _refused_in(visit, row):
                    given = {name: row.cleaned_data[name] for name in ("name", "domain")}
                    add_competitor(visit.caller, **at, **given)
    except ServiceError:
        return False
    visit.brand.refresh_from_db()
    return True


@contextmanager
def _refused_in(visit: Visit, form: PageForm) -> Iterator[None]:
    """Put a refusal into this form, and pass it on."""
    try:
        yield
    except ServiceError as refusal:
        refuse(visit.request, form, refusal)
        raise


def _with_market(visit: Visit, about: AboutForm, rows: Rows) -> Again:
    """The step with what the engine that writes proposes in addition; nothing is stored by that."""
    try:
        written = write_market(visit.caller, visit.brand.pk) or Proposals()
    except ServiceError as refusal:
        refuse(visit.request, about, refusal)
        return Again({"about": about, "rows": rows})
    typed = {name: about[name].value() for name in about.fields}
    typed["topics"] = [*(typed["topics"] or []), *(each.text for each in written.topics)]
    there = {str(row["name"]).casefold(): row for row in rows.typed}
    for row in _rivals(visit.brand, written.competitors):
        known = there.setdefault(row["name"].casefold(), row)
        if not known["domain"]:
            there[row["name"].casefold()] = row
    shown = {"about": AboutForm(initial=typed), "rows": Rows(initial=list(there.values())), "written": written}
    return Again(shown, is_refused=False)


def _distinct(texts: Sequence[str]) -> list[str]:
    return list({" ".join(text.split()).casefold(): text for text in reversed(texts) if text.strip()}.values())[::-1]


def _proposed_row(proposal: Proposal) -> dict[str, Any]:
    """A row as it is proposed: ticked where its site is known."""
    because = in_words(proposal.because)
    if not proposal.domain:
        because = f"{because}. {gettext('Give its site and tick it.')}"
    return {
        "takes": bool(proposal.domain),
        "name": proposal.text,
        "domain": proposal.domain,
        "because": because,
    }


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 3 else 0
