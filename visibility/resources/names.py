"""What the names that need care look like from outside."""

from pydantic import Field

from apikeys.resources import Resource


class NamePolicyResource(Resource):
    """When a name counts."""

    case_sensitive: bool = Field(description="only with these capitals")
    required_near: list[str] = Field(description="one of these words stands in the line")
    forbidden_near: list[str] = Field(description="none of these words stands right beside it")


class NameCheck(Resource):
    """A tracked name that also means something else, how often that matters, and what could be said of it."""

    name: str
    kind: str = Field(
        description="word, phrase, proper, letters, quantity, homonym or longer (answers may mean a longer name)"
    )
    reason: str
    policy: NamePolicyResource | None = Field(description="what people have said; null: the rules for all such names")
    proposal: NamePolicyResource | None = Field(
        description="what the answers suggest; null where they suggest nothing"
    )
    occurs_in: int = Field(description="answers that have its letters, of the `answers` that were looked at")
    counted_in: int = Field(description="answers of these where it counted as a mention")
    answers: int = Field(description="the newest stored answers that were looked at")
