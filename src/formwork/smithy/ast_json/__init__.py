"""Smithy's JSON AST: text to definitions (reader) and models to JSON values (writer)."""
