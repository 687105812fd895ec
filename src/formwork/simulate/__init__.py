"""A conforming implementation of any resource type: the contract suite's oracle, and a stand-in for missing handlers.

Simulator(schema)(event, context)    in process, called as Lambda calls a function
formwork.simulate.function.handler   the same as a Lambda function of its own

The reasons are in docs/decisions/1212.
"""

from formwork.simulate.simulator import Behaviour, Simulator

__all__ = ["Behaviour", "Simulator"]
