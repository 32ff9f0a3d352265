"""The demonstration: a brand that does not exist, with rivals, questions and pages written for it.

Its answers come from local-search over these pages. It shows how the service works, not what any AI system says.
"""
