"""One file per target: `opened()` yields `check(data)`, which raises for what is a defect; `seeds()` are inputs to begin with."""
