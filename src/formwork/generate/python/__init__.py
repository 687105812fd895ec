"""Projects in Python."""
