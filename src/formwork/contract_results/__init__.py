"""Results of the contract tests: clauses, findings, events and reports.

clauses        every clause of the handler contract, with its id and level
findings       a clause that is not kept, with what shows it
run_events     what happens in a run, as a stream of typed events
suite_result   the events of a run, collected: what the reports and the exit code read
causes         what several findings have in common
report/        results as text, JSON, JUnit XML and one HTML page

Nothing here calls handlers or knows a test: `formwork.contract` publishes the events.
"""
