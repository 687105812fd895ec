"""Derives a resource's identifiers, properties, mutability and tagging from its operations."""
