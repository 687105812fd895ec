"""A stack's deployment, read: its template, the values of its resources, its secrets and exports."""
