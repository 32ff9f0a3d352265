// What pages do better with a script, and without it as well: copy a prompt, print, filter at once, look again while
// something runs.
"use strict";
const words = document.body.dataset; // in the language of the page
let isTyped = false; // a page in which somebody has begun to write is not replaced

function begin() {
  isTyped = false;
  for (const box of document.querySelectorAll("textarea.copy")) addCopyButton(box);
  for (const line of document.querySelectorAll(".take")) addPrintButton(line);
  const running = document.querySelector("[data-poll]");
  if (running) setTimeout(() => show(location.href, false), 1000 * Number(running.dataset.poll));
}

function addCopyButton(box) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn key";
  button.textContent = words.copy;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(box.value);
      button.textContent = words.copied;
    } catch {
      box.select();
      button.textContent = words.press;
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
  button.textContent = words.print;
  button.addEventListener("click", () => print());
  line.append(button);
}

async function show(address, isStep) {
  const reply = await fetch(address);
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  const main = page.querySelector("main#content");
  if (!reply.ok || !main) return location.assign(address);
  const { name, value } = document.activeElement ?? {};
  const form = document.activeElement?.getAttribute("form");
  const whole = () => {
    document.querySelector("main").replaceWith(main);
    for (const menu of document.querySelectorAll("nav[aria-label=Pages], nav.tabbar")) {
      const other = page.querySelector(menu.matches(".tabbar") ? ".tabbar" : "nav[aria-label=Pages]");
      if (other) menu.replaceWith(other); // its links take the filters along
    }
    document.title = page.title;
    if (isStep) {
      history.pushState({}, "", reply.url);
      main.querySelector(`[form="${form}"][name="${name}"][value="${value}"], form.bar [name="${name}"]`)?.focus();
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

// Also of boxes that stand elsewhere and belong to the form. What is empty, and dates that are not own ones, say nothing.
function filter(form) {
  const chosen = [...new FormData(form)].filter(([, value]) => value);
  const query = new URLSearchParams(chosen);
  if (query.has("period") && query.get("period") !== "own") for (const name of ["from", "to"]) query.delete(name);
  show(`?${query}`, true);
}

addEventListener("change", ({ target }) => target.form?.matches("main form.bar[method=get]") && filter(target.form));
addEventListener("input", ({ target }) => (isTyped ||= !target.form?.matches("form.bar")));
addEventListener("popstate", () => show(location.href, false));
begin();
