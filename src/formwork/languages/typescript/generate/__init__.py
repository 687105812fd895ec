"""TypeScript: models, handlers and what builds them, over our handler library or AWS's."""
