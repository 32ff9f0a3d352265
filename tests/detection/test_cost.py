"""What an ambiguous name would cost."""

from visibility.detection.cost import name_cost


def test_the_places_of_a_name_and_those_that_mean_the_subject_are_counted_apart():
    answers = [("iPhone Pro Max. Max is an app.", {16}), ("Turn it to max. MAX. Maximum.", set()), ("Max", {0})]
    cost = name_cost("Max", answers)
    assert (cost.answers, cost.places, cost.meant) == (3, 3, 2)


def test_longer_names_that_hold_it_where_it_is_meant_are_named():
    answers = [("HBO Max has films.", {4}), ("Watch HBO Max.", {10}), ("iPhone Pro Max", set())]
    assert list(name_cost("Max", answers).longer) == ["HBO Max"]
