"""One module per page, each with functions from a visit to what is shown."""
