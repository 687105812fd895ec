"""What the operations of a resource say about it: identifiers, properties, mutability, tagging."""
