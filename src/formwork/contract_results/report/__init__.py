"""What came of a run, for readers and machines; secrets masked in all of them."""
