"""One module a generated page; each has a `render()` that gives the page as Markdown."""
