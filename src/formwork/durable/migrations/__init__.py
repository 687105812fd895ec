"""Alembic's scripts: one per change of the tables, never altered once released."""
