"""What a request asks of a stack, and what that comes to."""
