"""Alembic's scripts: one a change of the tables, never altered once released."""
