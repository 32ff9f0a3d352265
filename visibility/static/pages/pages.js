// What pages do better with a script, and without it as well: copy a prompt, print, filter at once, look again while
// something runs.
"use strict";
let isTyped = false; // a page in which somebody has begun to write is not replaced

function begin() {
  isTyped = false;
  for (const box of document.querySelectorAll("textarea.copy")) addCopyButton(box);
  for (const line of document.querySelectorAll(".take")) addPrintButton(line);
  for (const form of document.querySelectorAll("main form.bar[method=get]"))
    form.addEventListener("change", () => show(`?${new URLSearchParams(new FormData(form))}`, true));
  const running = document.querySelector("[data-poll]");
  if (running) setTimeout(() => show(location.href, false), 1000 * Number(running.dataset.poll));
}

function addCopyButton(box) {
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

function addPrintButton(line) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "link";
  button.textContent = "Print";
  button.addEventListener("click", () => print());
  line.append(button);
}

async function show(address, isStep) {
  const reply = await fetch(address);
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  const main = page.querySelector("main#content");
  if (!reply.ok || !main) return location.assign(address);
  const name = document.activeElement?.name;
  const whole = () => {
    document.querySelector("main").replaceWith(main);
    document.title = page.title;
    if (isStep) {
      history.pushState({}, "", reply.url);
      main.querySelector(`form.bar [name="${name}"]`)?.focus();
    }
    begin();
  };
  const bar = document.querySelector("[data-poll]");
  if (!isStep && isTyped && bar) {
    const now = page.querySelector("[data-poll]");
    if (!now) return bar.remove();
    bar.replaceWith(now);
    return setTimeout(() => show(location.href, false), 1000 * Number(now.dataset.poll));
  }
  if (document.startViewTransition && isStep) document.startViewTransition(whole);
  else whole();
}

addEventListener("input", (event) => (isTyped ||= !event.target.closest("form.bar")));
addEventListener("popstate", () => show(location.href, false));
begin();
