"""Go: models with generics, handlers over our runtime, or models for projects that keep AWS's runtime."""
