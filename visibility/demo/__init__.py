"""The demonstration: a brand that does not exist, with rivals, questions and pages written for it.

Its answers come from engines that quote these pages. It shows how the service works, not what any AI system says.
Pages come and go over 60 days, and each day is answered from the pages that there were on it: simulated, not made up.
"""
