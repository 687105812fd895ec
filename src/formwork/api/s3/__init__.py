"""A small S3: what uploading a package, a template or an asset takes, and reading it again; objects are files."""
