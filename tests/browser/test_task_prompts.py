"""Many prompts are pasted; what was refused is corrected; one is archived and found again by the filters."""

from tests.browser.acting import MESSAGE, add_brand, open_brand

NAME = {True: "Paper Kayak", False: "Copper Kayak"}
TYPED = "\n".join(
    [
        "Which folding kayak fits into a car?\tkayaks\tconsideration",
        "How do I carry a kayak on a train?\tkayaks\tsomeday",
        "Which folding kayak fits into a car?\tkayaks\tconsideration",
        "x" * 5_000,
        "What does a folding kayak cost?",
    ]
)


def test_many_prompts_are_pasted_corrected_archived_and_found(either, request):
    name = NAME["no-script" not in request.node.callspec.id]
    add_brand(either, name, f"{name.split()[0].lower()}-kayak.example", "folding kayaks")
    page = open_brand(either, name, "Prompts")
    page.get_by_role("main").get_by_role("link", name="Add prompts").click()
    field = page.get_by_label("Prompts, one on each line")
    field.fill(TYPED)
    page.get_by_role("button", name="Add these prompts").click()
    assert "2 prompts added" in page.locator(MESSAGE).inner_text()
    said = page.get_by_role("region", name="What was left out").inner_text()
    assert "2 lines were not added" in said and "1 line is asked already" in said
    assert "Line 2:" in said and "someday" in said and "Line 3:" in said and "Line 4:" in said
    assert field.input_value().splitlines() == TYPED.splitlines()[1:4:2], "and nothing else has to be typed again"

    field.fill(field.input_value().replace("someday", "awareness").replace("x" * 5_000, "Do folding kayaks leak?"))
    page.get_by_role("button", name="Add these prompts").click()
    assert "2 prompts added" in page.locator(MESSAGE).inner_text()
    assert page.locator("table.prompts tbody tr").count() == 4

    page.get_by_label("Choose: Do folding kayaks leak?").check()
    page.get_by_role("button", name="Archive the ticked").click()
    assert "1 prompt" in page.locator(MESSAGE).inner_text()
    assert "Do folding kayaks leak?" not in page.locator("table.prompts").inner_text()
    page.get_by_label("Stage").select_option("consideration")
    page.get_by_role("button", name="Show").click()
    assert page.locator("table.prompts tbody th").all_inner_texts() == ["Which folding kayak fits into a car?"]
    page.get_by_label("Stage").select_option("")
    page.get_by_label("Asked").select_option(label="No longer")
    page.get_by_label("Search").fill("leak")
    page.get_by_role("button", name="Show").click()
    assert page.locator("table.prompts tbody th").all_inner_texts() == ["Do folding kayaks leak?"]
    page.get_by_role("link", name="Do folding kayaks leak?").click()
    page.get_by_role("button", name="Ask again").click()
    assert "not asked by scans" not in page.get_by_role("main").inner_text()
    assert all("400" in trouble for trouble in either.troubles), "what was refused"
