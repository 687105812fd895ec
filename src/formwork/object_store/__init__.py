"""Buckets and objects in a folder, with S3's rules and S3's errors; `api.s3` serves them.

It has what boto3, the AWS CLI, SAM and the CDK use to upload a package; other operations are NotImplemented. moto's S3
would be a second server, in memory, and file URLs would let any caller read any file. CRC32C and CRC64NVME are stored
without being checked: Python has no fast way to compute them.
"""
