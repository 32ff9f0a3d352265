"""Whether a topic has changed more than the brand's other topics have: the plan, the test, the verdict."""
