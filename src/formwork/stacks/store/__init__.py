"""Stacks, resources, events and operations in the database: tables, records and the statements between them."""
