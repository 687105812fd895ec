"""Lambda functions that stacks have made, run with the code that their templates give."""
