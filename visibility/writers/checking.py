"""What a check of a draft says."""

from pydantic import BaseModel, Field


class DraftCheck(BaseModel):
    """One thing that a draft was checked for."""

    id: str
    passed: bool
    message: str = Field(description="what was found, and what to do where it did not pass")
