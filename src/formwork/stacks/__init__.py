"""What is kept of stacks: records, rows and statuses, and how requests about them are refused."""
