"""What pages show, as values: without HTTP and HTML."""
