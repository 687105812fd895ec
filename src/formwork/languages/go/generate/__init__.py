"""Go: models and handlers for Formwork's runtime, or models for projects that keep AWS's runtime."""
