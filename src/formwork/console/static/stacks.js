// The graph of a stack: moved by dragging, zoomed at the pointer, searched, the neighbours of a resource marked.
"use strict";

(() => {
  const drawing = () => document.getElementById("drawing");
  let scale = 1;
  let dragged = null;

  function zoom(factor, x, y) {
    const region = drawing();
    const graph = region?.querySelector("svg.graph");
    if (!graph) return;
    const [, , width, height] = graph.getAttribute("viewBox").split(" ").map(Number);
    const before = Number(graph.getAttribute("width")) / width;
    scale = factor === "fit" ? Math.min(1, region.clientWidth / width, region.clientHeight / height)
      : factor === "one" ? 1 : before * factor;
    scale = Math.max(0.05, Math.min(4, scale));
    const at = { x: x ?? region.clientWidth / 2, y: y ?? region.clientHeight / 2 };
    const left = (region.scrollLeft + at.x) * (scale / before) - at.x;
    const top = (region.scrollTop + at.y) * (scale / before) - at.y;
    graph.setAttribute("width", String(width * scale));
    graph.setAttribute("height", String(height * scale));
    region.scrollTo(left, top);
  }

  function mark(node) {
    for (const each of document.querySelectorAll(".near")) each.classList.remove("near");
    const graph = drawing()?.querySelector("svg.graph");
    if (!graph) return;
    graph.classList.toggle("marked", Boolean(node));
    if (!node) return;
    node.classList.add("near");
    for (const edge of graph.querySelectorAll(`.edge[data-s="${node.dataset.i}"], .edge[data-t="${node.dataset.i}"]`)) {
      edge.classList.add("near");
      const other = edge.dataset.s === node.dataset.i ? edge.dataset.t : edge.dataset.s;
      graph.querySelector(`.node[data-i="${other}"]`)?.classList.add("near");
    }
  }

  function find(text) {
    const wanted = text.trim().toLowerCase();
    const nodes = [...document.querySelectorAll("svg.graph .node")];
    let first = null;
    for (const node of nodes) {
      const hit = wanted !== "" && node.textContent.toLowerCase().includes(wanted);
      node.classList.toggle("hit", hit);
      first ??= hit ? node : null;
    }
    document.querySelector("svg.graph")?.classList.toggle("searched", wanted !== "");
    first?.scrollIntoView({ block: "center", inline: "center" });
  }

  document.addEventListener("click", (event) => {
    const wanted = event.target.closest("button[data-zoom]")?.dataset.zoom;
    if (wanted) zoom({ in: 1.25, out: 0.8 }[wanted] ?? wanted);
  });
  document.addEventListener("wheel", (event) => {
    const region = event.target.closest("#drawing");
    if (region === null || !event.ctrlKey) return;
    event.preventDefault();
    const box = region.getBoundingClientRect();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  document.addEventListener("keydown", (event) => {
    if (event.target.id !== "drawing" || event.ctrlKey || event.metaKey || event.altKey) return;
    const factor = { "+": 1.25, "=": 1.25, "-": 0.8, 0: "fit", 1: "one" }[event.key];
    if (factor) zoom(factor);
  });
  document.addEventListener("pointerdown", (event) => {
    const region = event.target.closest("#drawing");
    if (region !== null && event.button === 0) dragged = { x: event.clientX, y: event.clientY, moved: false };
  });
  document.addEventListener("pointermove", (event) => {
    if (dragged === null) return;
    const region = drawing();
    const [x, y] = [event.clientX - dragged.x, event.clientY - dragged.y];
    if (!dragged.moved && Math.abs(x) + Math.abs(y) < 5) return;
    region?.classList.add("moving");
    region?.scrollBy(-x, -y);
    dragged = { x: event.clientX, y: event.clientY, moved: true };
  });
  document.addEventListener("pointerup", () => {
    drawing()?.classList.remove("moving");
    const was = dragged;
    dragged = null;
    if (was?.moved) document.addEventListener("click", (event) => event.preventDefault(), { capture: true, once: true });
  });
  document.addEventListener("dragstart", (event) => event.target.closest?.("#drawing") && event.preventDefault());
  document.addEventListener("pointerover", (event) => {
    if (event.target.closest("#drawing")) mark(event.target.closest(".node"));
  });
  document.addEventListener("focusin", (event) => {
    if (event.target.closest("#drawing")) mark(event.target.querySelector(".node"));
  });
  document.addEventListener("input", (event) => event.target.id === "find-node" && find(event.target.value));
  document.addEventListener("htmx:afterSwap", () => {
    const graph = drawing()?.querySelector("svg.graph");
    if (!graph || scale === 1) return;
    const [, , width, height] = graph.getAttribute("viewBox").split(" ").map(Number);
    graph.setAttribute("width", String(width * scale));
    graph.setAttribute("height", String(height * scale));
  });
})();
