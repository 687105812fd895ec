"""The trait models that come with the toolkit, in the IDL."""
