"""Custom resources: a stack asks a function of its author's, which answers at a URL."""
