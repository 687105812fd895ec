"""Buckets and objects in a folder, with S3's rules and S3's errors; `api.s3` serves them."""
