// Forms from schemas that are checked while one fills them in, and the editor's line numbers and marks.
"use strict";

(() => {
  document.documentElement.classList.add("js");

  // -- a report in a frame looks like the page around it

  const theme = document.documentElement.dataset.theme || localStorage.getItem("theme");
  const report = document.querySelector("iframe.report");
  if (report !== null && (theme === "dark" || theme === "light")) report.src += `#theme=${theme}`;

  // -- forms from schemas: messages at the fields, without losing what is typed

  let waiting = 0;

  function checkSoon(form) {
    clearTimeout(waiting);
    waiting = setTimeout(() => htmx.trigger(form, "check"), 400);
  }

  function markInvalid() {
    for (const message of document.querySelectorAll(".schema-form .fault")) {
      const field = document.querySelector(`[aria-describedby~="${CSS.escape(message.id)}"]`);
      if (field === null) continue;
      if (message.textContent) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    }
  }

  document.addEventListener("change", (event) => {
    const form = event.target.closest("form.schema-form");
    if (form !== null) checkSoon(form);
  });
  document.addEventListener("htmx:afterSettle", markInvalid);

  // -- the editor

  const area = document.getElementById("template");
  const editor = document.getElementById("editor");
  if (area === null || editor === null) return;
  const gutter = editor.querySelector(".gutter");
  const marks = editor.querySelector(".marks");
  const colours = editor.querySelector(".colours");
  const MOST_COLOURED = 60000; // characters: more take longer than a frame

  // Prism's tokens become elements of our own: what is typed is never markup.
  const KINDS = {
    atrule: "name", key: "name", property: "name", string: "text", scalar: "text", number: "value", boolean: "value",
    null: "value", datetime: "value", comment: "comment", tag: "tag", important: "tag",
  };

  function coloured(tokens) {
    return tokens.map((token) => {
      if (typeof token === "string") return token;
      const part = document.createElement("span");
      part.className = KINDS[token.type] ?? "";
      part.append(...coloured([token.content].flat()));
      return part;
    });
  }

  function colour() {
    const small = window.Prism !== undefined && area.value.length <= MOST_COLOURED;
    editor.classList.toggle("coloured", small);
    if (!small) return colours.replaceChildren();
    const language = /^\s*[{[]/.test(area.value) ? Prism.languages.json : Prism.languages.yaml;
    colours.replaceChildren(...coloured(Prism.tokenize(area.value, language)), "\n");
  }

  function places() {
    return [...document.querySelectorAll("#findings .place[data-line]")].map((each) => ({
      line: Number(each.dataset.line),
      column: Number(each.dataset.column),
      endLine: Number(each.dataset.endLine || each.dataset.line),
      endColumn: Number(each.dataset.endColumn || 0),
      severity: each.dataset.severity,
    }));
  }

  function draw() {
    const lines = area.value.split("\n");
    const found = places();
    const worst = new Map();
    for (const each of found.reverse()) if (worst.get(each.line) !== "error") worst.set(each.line, each.severity);
    gutter.replaceChildren(...lines.map((_, index) => {
      const number = document.createElement("div");
      number.textContent = String(index + 1);
      if (worst.has(index + 1)) number.className = worst.get(index + 1);
      return number;
    }));
    const parts = [];
    lines.forEach((text, index) => {
      const here = found.filter((each) => each.line === index + 1).sort((a, b) => a.column - b.column);
      let at = 0;
      for (const each of here) {
        const from = Math.max(at, each.column - 1);
        const to = each.endLine === each.line && each.endColumn > each.column ? each.endColumn - 1 : text.length;
        if (to <= from) continue;
        parts.push(text.slice(at, from));
        const mark = document.createElement("mark");
        mark.className = each.severity;
        mark.textContent = text.slice(from, to);
        parts.push(mark);
        at = to;
      }
      parts.push(`${text.slice(at)}\n`);
    });
    marks.replaceChildren(...parts);
    colour();
    follow();
  }

  function follow() {
    gutter.scrollTop = area.scrollTop;
    for (const layer of [marks, colours]) {
      layer.scrollTop = area.scrollTop;
      layer.scrollLeft = area.scrollLeft;
    }
  }

  function goTo(line, column) {
    const lines = area.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
    area.focus();
    area.setSelectionRange(start, start);
    area.scrollTop = Math.max(0, (line - 4) * 20);
    follow();
  }

  // Enter keeps the indentation; Tab stays what leads to the next field.
  area.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const line = area.value.slice(0, area.selectionStart).split("\n").pop();
    const indent = /^ */.exec(line)[0] + (/:\s*$/.test(line) ? "  " : "");
    if (!indent) return;
    event.preventDefault();
    area.setRangeText(`\n${indent}`, area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
  });
  area.addEventListener("input", draw);
  area.addEventListener("scroll", follow);
  document.addEventListener("htmx:afterSettle", draw);
  document.addEventListener("click", (event) => {
    const place = event.target.closest(".place[data-line]");
    if (place !== null) goTo(Number(place.dataset.line), Number(place.dataset.column));
  });
  // A file that was opened or dropped is checked like what is typed.
  for (const name of ["change", "drop"]) {
    document.addEventListener(name, (event) => {
      if (!event.target.matches("input[data-fills=template], #template")) return;
      setTimeout(() => {
        draw();
        htmx.trigger(area, "input");
      }, 200);
    });
  }
  draw();
})();
