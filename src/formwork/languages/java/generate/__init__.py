"""Projects in Java, on AWS's published runtime."""
