// What the pages do beside htmx: parts that are refreshed when something has changed, the theme, copying.
"use strict";

(() => {
  const pending = new Set(); // ids: a part may be replaced while it waits for its refresh

  // `data-live` names what a part shows: the ids of stacks, or "any".
  function concerns(part, change) {
    const of = part.dataset.live;
    return change.other || of === "any" || of.split(" ").some((each) => change.stacks.includes(each));
  }

  // What someone types in, or has scrolled down in, is refreshed later.
  function isEdited(part) {
    const field = document.activeElement;
    if (part.dataset.holds && document.getElementById(part.dataset.holds)?.scrollTop > 100) return true;
    return field !== null && part.contains(field) && field.matches("input:not([type=checkbox]), textarea, select");
  }

  // A button that is replaced while the mouse is down on it is not clicked.
  let pressed = false;
  document.addEventListener("pointerdown", () => { pressed = true; }, true);
  for (const name of ["pointerup", "pointercancel"]) {
    document.addEventListener(name, () => {
      pressed = false;
      setTimeout(refresh, 50);
    }, true);
  }

  // A part rests after a refresh for half as long as that took: a large page must not keep the server busy.
  const resting = new Map();

  function refresh() {
    if (document.visibilityState !== "visible" || pressed) return;
    for (const id of [...pending]) {
      const part = document.getElementById(id);
      if (part !== null && (isEdited(part) || resting.get(id)?.until > performance.now())) continue;
      if (part === null) {
        pending.delete(id);
        continue;
      }
      htmx.trigger(part, "live");
      // A part that has just been exchanged may not listen yet.
      if (pending.has(id)) setTimeout(refresh, 100);
    }
  }

  function began(part) {
    if (!part.dataset.live) return;
    pending.delete(part.id);
    resting.set(part.id, { began: performance.now(), until: performance.now() + 10000 });
  }

  function rest(id) {
    const now = performance.now();
    const rests = resting.get(id);
    if (rests === undefined) return;
    const rested = (now - rests.began) / 2;
    resting.set(id, { began: now, until: now + rested });
    setTimeout(refresh, rested + 1);
  }

  function heard(message) {
    const shown = document.getElementById("stream");
    if (shown !== null && message.state && shown.dataset.state !== message.state) {
      shown.dataset.state = message.state;
      shown.textContent = message.state === "ended" ? "signed out" : message.state;
    }
    if (!message.change) return;
    if (message.change.version === document.body.dataset.version) return; // nothing since the page was made
    for (const part of document.querySelectorAll("[data-live]")) if (concerns(part, message.change)) pending.add(part.id);
    refresh();
  }

  function connect() {
    if (document.getElementById("stream") === null) return;
    if (window.SharedWorker) {
      const worker = new SharedWorker("/static/stream.js", "formwork-changes");
      worker.port.onmessage = (event) => heard(event.data);
      window.addEventListener("pagehide", () => worker.port.postMessage("leave"));
      window.addEventListener("pageshow", (event) => event.persisted && location.reload());
    } else {
      const source = new EventSource("/changes");
      source.onopen = () => heard({ state: "live" });
      source.onerror = () => heard({ state: source.readyState === EventSource.CLOSED ? "ended" : "connecting" });
      source.addEventListener("change", (event) => heard({ state: "live", change: JSON.parse(event.data) }));
    }
  }

  function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
  }

  function switchTheme() {
    const dark = document.documentElement.dataset.theme === "dark"
      || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    const theme = dark ? "light" : "dark";
    setTheme(theme);
    localStorage.setItem("theme", theme);
  }

  async function copy(button) {
    const text = button.parentElement.querySelector("pre").textContent;
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  }

  async function readFile(input) {
    const target = document.getElementById(input.dataset.fills);
    if (input.files.length === 1 && target !== null) target.value = await input.files[0].text();
  }

  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") setTheme(theme);

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button === null) return;
    if (button.id === "theme") switchTheme();
    if (button.classList.contains("copy")) copy(button);
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("input[type=file][data-fills]")) readFile(event.target);
  });
  document.addEventListener("dragover", (event) => {
    if (event.target.closest("textarea[data-drop]")) event.preventDefault();
  });
  document.addEventListener("drop", async (event) => {
    const area = event.target.closest("textarea[data-drop]");
    if (area === null || event.dataTransfer.files.length !== 1) return;
    event.preventDefault();
    area.value = await event.dataTransfer.files[0].text();
  });
  // Where a part was scrolled to, and what was unfolded in it, stays when it is replaced.
  const kept = new Map();
  const END = 1e7; // of a log that is followed
  document.addEventListener("htmx:beforeSwap", (event) => {
    kept.clear();
    for (const each of event.detail.target.querySelectorAll("[id]")) {
      const atEnd = each.dataset.follows && each.scrollTop + each.clientHeight > each.scrollHeight - 4;
      const top = atEnd ? END : each.scrollTop;
      const ticked = each.type === "checkbox" && each.checked;
      if (each.open || ticked || top || each.scrollLeft) kept.set(each.id, [each.open, ticked, top, each.scrollLeft]);
    }
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const each of document.querySelectorAll("[data-follows]")) if (!kept.has(each.id)) each.scrollTop = END;
    for (const [id, [open, ticked, top, left]] of kept) {
      const each = document.getElementById(id);
      if (each === null) continue;
      if (open) each.open = true;
      if (ticked) each.checked = true;
      each.scrollTop = top;
      each.scrollLeft = left;
    }
  });
  // A refused refresh leaves the part as it was: the session has ended, or the server.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.xhr.status === 404) event.detail.shouldSwap = false;
  });
  document.addEventListener("htmx:beforeRequest", (event) => began(event.detail.elt));
  document.addEventListener("htmx:afterRequest", (event) => rest(event.detail.requestConfig.elt.id));
  document.addEventListener("visibilitychange", refresh);
  document.addEventListener("scroll", (event) => event.target.scrollTop < 100 && pending.size && refresh(), true);
  document.addEventListener("focusout", () => setTimeout(refresh, 0));
  connect();
})();
