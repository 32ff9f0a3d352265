"""Ten drafts from real answers, as the embedded writer writes them, with what each check says: docs/drafts."""
