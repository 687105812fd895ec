"""The Smithy IDL: text to definitions (parser) and models to text (printer, formatter)."""
