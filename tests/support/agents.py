"""A coding agent's client of `cfn mcp`, over pipes or in this process."""

import asyncio
import contextlib
import json
import sys

from mcp import Client
from mcp.client.stdio import StdioServerParameters

from formwork.agents.folders import AllowedFolders
from formwork.agents.server import AgentServer


class Agent:
    """One session; `call` returns the structured answer of a tool, and expects it not to be an error."""

    def __init__(self, client):
        self.client = client

    async def call(self, tool, **arguments):
        return await self._called(tool, arguments, failed=False)

    async def refused(self, tool, **arguments):
        return await self._called(tool, arguments, failed=True)

    async def _called(self, tool, arguments, *, failed):
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error == failed, result
        (text,) = result.content
        assert json.loads(text.text) == result.structured_content
        return result.structured_content


@contextlib.asynccontextmanager
async def over_pipes(folder, home, *words):
    """Start `cfn mcp` in `folder`, with the library's own client, as an agent does."""
    environment = {"HOME": str(home), "XDG_STATE_HOME": str(home / "state")}
    command = [sys.executable, "-m", "formwork", "mcp", *words]
    server = StdioServerParameters(command=command[0], args=command[1:], cwd=folder, env=environment)
    async with Client(server) as client:
        yield Agent(client)


def in_process(work, *folders):
    """Run `work(agent)` with a server in this process."""

    async def session():
        async with Client(AgentServer(AllowedFolders(folders)).protocol) as client:
            return await work(Agent(client))

    return asyncio.run(session())
