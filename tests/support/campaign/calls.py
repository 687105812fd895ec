"""Clients of a server that dies and comes back at the same address."""

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError

ACCOUNT = "111111111111"
LOST = (BotoCoreError, ConnectionError)


class Calls:
    """A client of each service and Region, made when it is first asked for."""

    def __init__(self, url):
        self.url = url
        self._clients = {}

    def __call__(self, service="cloudformation", region="us-east-1"):
        if (service, region) not in self._clients:
            settings = Config(retries={"max_attempts": 0}, connect_timeout=5, read_timeout=70)
            self._clients[service, region] = boto3.client(
                service,
                endpoint_url=self.url,
                region_name=region,
                config=settings,
                aws_access_key_id=ACCOUNT,
                aws_secret_access_key="x",
            )
        return self._clients[service, region]
