"""Runs a Python program on the engine, through the language host in Pulumi's own Automation API, in this very process.

    python -m run <operation> <stack> <program.py>

The working folder contains a Pulumi.yaml. The result is printed as JSON.
"""

import json
import runpy
import sys

from pulumi import automation

operation, stack_name, program = sys.argv[1:]

stack = automation.select_stack(
    stack_name,
    project_name="languages",
    program=lambda: runpy.run_path(program, run_name="__main__") and None,
    opts=automation.LocalWorkspaceOptions(work_dir="."),
)
said: list[str] = []
changes = {}
error = None
try:
    if operation == "preview":
        changes = stack.preview(on_output=said.append).change_summary
    else:
        result = stack.up(on_output=said.append)
        changes = result.summary.resource_changes
except automation.CommandError as failed:
    error = str(failed)
outputs = {name: output.value for name, output in stack.outputs().items()}
print(json.dumps({"changes": changes, "error": error, "outputs": outputs, "said": "".join(said)}))
