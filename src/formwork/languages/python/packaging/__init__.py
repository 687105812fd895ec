"""What Lambda gets of a Python project: its code and its dependencies, resolved by pip without Docker."""
