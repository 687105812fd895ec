"""Reports of a run for people and programs, with secrets masked."""
