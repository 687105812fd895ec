// What a report does in a browser: chooses an exchange, filters clauses, copies commands, unfolds what is linked to.
(() => {
  "use strict";
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  root.classList.add("js");

  function setTheme(theme) {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  }

  function switchTheme() {
    const dark = root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    setTheme(dark === "dark" ? "light" : "dark");
  }

  function choose(button) {
    const exchange = button.closest(".exchange");
    for (const each of all(".sequence button", exchange)) each.setAttribute("aria-pressed", String(each === button));
    for (const each of all(".panel", exchange)) each.hidden = each.id !== button.getAttribute("aria-controls");
  }

  async function copy(button) {
    const line = button.parentElement.querySelector("code");
    try {
      await navigator.clipboard.writeText(line.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(line); // without the right to use the clipboard
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  }

  function filter() {
    const state = document.getElementById("state").value;
    const text = document.getElementById("text").value.toLowerCase();
    let shown = 0;
    for (const group of all("#clauses .group")) {
      let left = 0;
      for (const each of all(".clause", group)) {
        each.hidden = (state && each.dataset.state !== state) || (text && !each.textContent.toLowerCase().includes(text));
        if (!each.hidden) left += 1;
      }
      group.hidden = left === 0;
      if (state || text) group.open = left > 0;
      shown += left;
    }
    document.querySelector("#clauses .empty").hidden = shown > 0;
  }

  function follow() {
    setTheme(new URLSearchParams(location.hash.slice(1)).get("theme"));
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    for (let each = target; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
    target?.scrollIntoView();
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button === null) return;
    if (button.id === "theme") switchTheme();
    else if (button.classList.contains("copy")) copy(button);
    else if (button.closest(".sequence")) choose(button);
  });
  document.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const sequence = event.target.closest?.(".sequence");
    if (!step || !sequence) return;
    const buttons = all("button", sequence);
    const next = buttons[buttons.indexOf(event.target) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
    choose(next);
  });
  document.addEventListener("submit", (event) => event.preventDefault());
  if (document.getElementById("state")) {
    for (const id of ["state", "text"]) document.getElementById(id).addEventListener("input", filter);
  }
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = all("details.finding:not([open]), details.group:not([open])");
    for (const each of unfolded) each.open = true;
  });
  addEventListener("afterprint", () => { for (const each of unfolded) each.open = false; });
  addEventListener("hashchange", follow);
  for (const each of all('.sequence button[aria-pressed="true"]')) choose(each);
  follow();
})();
