// A button above each text that is there to be copied. Without this script the text can be chosen and copied by hand.
for (const text of document.querySelectorAll("textarea[data-copy]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "second";
  button.textContent = text.dataset.copy;
  const told = document.createElement("span");
  told.className = "note";
  told.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.value);
      told.textContent = "Copied.";
    } catch {
      text.select();
      told.textContent = "It is marked: press Ctrl+C or ⌘C.";
    }
  });
  const line = document.createElement("p");
  line.className = "acts copying";
  line.append(button, told);
  text.before(line);
}
