"""Files of prompts: read as lines to paste, shown before they are added, refused whole where they are hostile."""

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from apikeys.errors import ServiceError
from tests.factories import PromptFactory
from tests.pages.reading import Tags
from tests.people.browser import Browser, text_of
from visibility.models import Prompt
from visibility.services.prompts.files import MAX_FILE, lines_of_file

HOSTILE = "<script>alert(1)</script>"


def lines(content, size=None):
    raw = content if isinstance(content, bytes) else content.encode()
    return lines_of_file(io.BytesIO(raw), size=size).split("\n")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Which bike?\r\nWhich lock, of all?\n", ["Which bike?", "Which lock, of all?"]),
        ("Which bike?\tbikes", ["Which bike?\tbikes"]),
        ("prompt\nWhich bike?", ["", "Which bike?"]),
        ("Topic,PROMPT,Notes\nbikes,Which bike?,x\n", ["", "Which bike?\tbikes"]),
        ("question;language\nWelches Rad?;de-AT", ["", "Welches Rad?\t\t\t\t\tde-AT"]),
        ('prompt,topic\n"Which, of all?","a\nb\tc"', ["", "Which, of all?\ta b c"]),
        ("prompt,topic\nWhich bike?", ["", "Which bike?"]),
        ("prompt,topic\n\nWhich bike?,b", ["", "", "Which bike?\tb"]),
        ("topic,prompt\nbikes,", ["", "\tbikes"]),
        ("\ufeffprompt\nWhich bike?", ["", "Which bike?"]),
        ("prompt\nWhich bike?".encode("utf-16"), ["", "Which bike?"]),
        ("prompt\n=cmd|' /C calc'!A0", ["", "=cmd|' /C calc'!A0"]),
    ],
)
def test_a_file_becomes_the_lines_of_the_form(content, expected):
    assert lines(content) == expected


def test_a_file_that_says_it_is_too_long_is_not_read():
    class Unread(io.BytesIO):
        def read(self, *size):
            raise AssertionError("it was read")

    with pytest.raises(ServiceError, match="at most 1,048,576 are taken"):
        lines_of_file(Unread(), size=MAX_FILE + 1)


def test_a_file_that_says_too_little_is_read_up_to_the_bound():
    with pytest.raises(ServiceError, match="longer than 1 MB"):
        lines(b"a" * (MAX_FILE + 1), size=3)


@pytest.mark.django_db
class TestPage:
    @pytest.fixture
    def page(self, cast):
        return reverse("paste-prompts", args=[cast.brand.pk])

    @pytest.fixture
    def send(self, cast, page):
        def post(content=None, **fields):
            browser = Browser(cast.owner)
            token = browser.form(reverse("add-prompts", args=[cast.brand.pk]))["csrfmiddlewaretoken"][0]
            file = {"file": SimpleUploadedFile("prompts.csv", content)} if content is not None else {}
            return browser.client.post(page, {"csrfmiddlewaretoken": token, **fields, **file})

        return post

    def test_a_file_is_shown_in_the_field_and_adds_nothing(self, cast, send):
        PromptFactory(brand=cast.brand, text="Which bike?")
        shown = send(f"prompt,topic\nWhich bike?,b\nWhich lock?,{HOSTILE}\nWhich?,b,\n".encode())
        said = text_of(shown)
        assert shown.status_code == 200 and "2 new, 0 back from the archive, 1 asked already, 0 refused." in said
        assert "Line 2: Which bike?" in said and "Nothing is added yet" in said
        assert Prompt.objects.count() == 1
        assert Tags(shown.content.decode()).all("script") == []
        text = shown.context["many"]["text"].value()
        assert send(text=text).status_code == 200, "one of them is asked already, which is told"
        assert set(Prompt.objects.values_list("text", "topic")) >= {("Which lock?", HOSTILE), ("Which?", "b")}

    def test_what_is_typed_can_be_checked_first(self, cast, send):
        shown = send(text="Good?\nBad?\tlocks\tnonsense", check="1")
        assert "1 new, 0 back from the archive, 0 asked already, 1 refused." in text_of(shown)
        assert shown.context["many"]["text"].value() == "Good?\nBad?\tlocks\tnonsense"
        assert not Prompt.objects.exists()

    def test_a_preview_says_what_adding_then_does(self, cast, send):
        cast.owner.plan.max_prompts_per_site = 2
        cast.owner.plan.save()
        shown = send(text="A?\nB?\nC?\na?", check="1")
        assert "2 new, 0 back from the archive, 1 asked already, 1 refused." in text_of(shown)
        assert "2 prompts added" in text_of(send(text="A?\nB?\nC?\na?"))

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (b"a" * (MAX_FILE + 1), "at most 1,048,576 are taken"),
            (b"prompt\n\xff", "Line 2: the line is not utf-8"),
            (b"\n\n", "The file has no prompt"),
        ],
    )
    def test_a_file_that_cannot_be_taken_says_why_at_its_field(self, cast, send, content, words):
        answer = send(content)
        assert answer.status_code == 400 and words in " ".join(answer.context["many"].errors["file"])
        assert not Prompt.objects.exists()

    def test_lines_and_a_file_at_once_are_not_guessed_at(self, send):
        answer = send(b"B?", text="A?")
        assert answer.status_code == 400 and answer.context["many"]["text"].value() == "A?"
        assert "There are lines in the field above" in text_of(answer)
        assert "required, or a file" in text_of(send())

    def test_who_only_looks_previews_nothing(self, cast, page):
        browser = Browser(cast.viewer)
        token = browser.client.get(reverse("account-page")).context["csrf_token"]
        answer = browser.client.post(page, {"csrfmiddlewaretoken": str(token), "text": "A?", "check": "1"})
        assert answer.status_code in (400, 403) and "What adding these lines" not in text_of(answer)
