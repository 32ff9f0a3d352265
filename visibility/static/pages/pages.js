// What pages do better with a script, and without it as well: copy a prompt, look again while something runs.
"use strict";
for (const box of document.querySelectorAll("textarea.copy")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn key";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(box.value);
      button.textContent = "Copied";
    } catch {
      box.select();
      button.textContent = "Press Ctrl+C";
    }
  });
  const line = document.createElement("p");
  line.className = "acts";
  line.append(button);
  box.after(line);
}
const running = document.querySelector("[data-reload]");
if (running) setTimeout(() => location.reload(), 1000 * Number(running.dataset.reload));
