"""Starts ministack with the repairs of docs/decisions/0040: three places where it differs from AWS's documentation and where the
difference stops every machine, ours or anybody's that uses the documented feature. HCA_REPAIRS=off starts it as published; the
probes of test/emulator run against both, and turn red when a repair is no longer needed. Nothing here knows our product."""

import functools
import os
import threading

from ministack.app import main
from ministack.core import lambda_runtime
from ministack.services import lambda_svc
from ministack.services import stepfunctions


def count_redrives() -> None:
    """The context object has Execution.RedriveCount, 0 until an execution is redriven. Published: the field is missing."""
    published = stepfunctions._evaluate_jsonata

    @functools.wraps(published)
    def repaired(expression, raw_input, ctx=None, result=None, error_output=None):
        if ctx and "Execution" in ctx:
            ctx["Execution"].setdefault("RedriveCount", 0)
        return published(expression, raw_input, ctx, result, error_output)

    stepfunctions._evaluate_jsonata = repaired


def evaluate_timeouts() -> None:
    """A Task's TimeoutSeconds may be a JSONata expression. Published: the text itself is taken for a number of seconds."""
    published = stepfunctions._execute_task

    @functools.wraps(published)
    def repaired(state_def, raw_input, execution, ctx):
        if isinstance(state_def.get("TimeoutSeconds"), str):
            seconds = stepfunctions._jsonata_state_field(state_def, "TimeoutSeconds", "number", raw_input, ctx)
            state_def = {**state_def, "TimeoutSeconds": seconds}
        return published(state_def, raw_input, execution, ctx)

    stepfunctions._execute_task = repaired


def name_errors() -> None:
    """What a Node function throws has errorType = the error's name. Published: Runtime.HandlerError, whatever was thrown."""
    thrown = threading.local()
    told = "error: String(err.message || err), "
    if told not in lambda_runtime._NODEJS_WORKER_SCRIPT:
        raise SystemExit("the worker script is not the one that this repair was written for: see docs/decisions/0040")
    lambda_runtime._NODEJS_WORKER_SCRIPT = lambda_runtime._NODEJS_WORKER_SCRIPT.replace(
        told, f"{told}errorType: err.name, "
    )
    invoke = lambda_runtime.Worker.invoke
    execute = lambda_svc._execute_function_warm

    @functools.wraps(invoke)
    def noting(self, *args, **kwargs):
        thrown.name = None
        result = invoke(self, *args, **kwargs)
        thrown.name = result.get("errorType")
        return result

    @functools.wraps(execute)
    def repaired(func, event, request_id):
        thrown.name = None
        result = execute(func, event, request_id)
        body = result.get("body")
        if result.get("error") and isinstance(body, dict) and thrown.name:
            body["errorType"] = thrown.name
        return result

    lambda_runtime.Worker.invoke = noting
    lambda_svc._execute_function_warm = repaired


if __name__ == "__main__":
    if os.environ.get("HCA_REPAIRS") != "off":
        count_redrives()
        evaluate_timeouts()
        name_errors()
    main()
