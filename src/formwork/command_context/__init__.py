"""What a command works with: its output, the user's folders, and the services, schemas and handlers that it reaches."""
