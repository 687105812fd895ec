"""What Lambda lays beside code that stands in a template."""
