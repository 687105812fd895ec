"""The Language Server Protocol as far as it knows nothing of our documents: messages, positions, texts, scheduling."""
