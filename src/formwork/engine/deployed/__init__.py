"""What a stack is deployed from: its template read, the values of its resources, its secrets and exports."""
