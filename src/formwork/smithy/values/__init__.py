"""Whether node values fit shapes: trait values, defaults, examples, typed metadata."""
