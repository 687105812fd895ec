"""The modules that Lambda adds to code that is written in a template."""
