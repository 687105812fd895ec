"""The tables of durable work: one row per workflow, and one per step of it that has ended.

The index of unfinished workflows is in its migration (0012) only: here it would import PostgreSQL's dialect at every
start.
"""

from sqlalchemy import Column, Float, ForeignKey, Integer, MetaData, String, Table, Text

from formwork.durable.sealed_text import SealedText

metadata = MetaData()

workflows = Table(
    "durable_workflow",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("arguments_json", SealedText, nullable=False),
    Column("owner", String(64)),  # the executor that runs it; NULL while it waits for one
    Column("created", Float, nullable=False),
    Column("ended", Float),
    Column("result_json", SealedText),
    Column("error", SealedText),  # the exception's type and message, for a workflow that failed
)
steps = Table(
    "durable_step",
    metadata,
    Column("workflow_id", Text, ForeignKey("durable_workflow.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),  # 1 for the first step of a workflow
    Column("name", Text, nullable=False),
    Column("ended", Float, nullable=False),
    Column("result_json", SealedText),
    Column("error", SealedText),
)
