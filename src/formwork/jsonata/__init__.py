"""JSONata, the language of property transforms: expressions evaluated within bounds of time, depth and size."""
