"""Mixed work against a running `cfn serve`, for the campaign of kills and for the soak.

catalogue  the types, hooks and templates that the work uses
ledger     what the types' handlers made, told apart by the story that asked for it
stories    what is done with each kind of work, and what must hold once it has ended
calls      clients that follow the server through its lives
"""
