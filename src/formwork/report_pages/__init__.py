"""Reports as HTML: one file a report, in the console's design, with nothing from elsewhere."""
