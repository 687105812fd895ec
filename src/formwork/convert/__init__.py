"""Other descriptions of an extension to its schema: Smithy models to resource schemas, fragments to module schemas."""
