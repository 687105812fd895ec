"""The documentation site: which files are its pages, in which order, in what form the generator reads them."""
