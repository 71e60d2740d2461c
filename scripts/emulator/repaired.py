"""Starts ministack with the repairs of docs/decisions/0040: places where it differs from AWS's documentation and where the difference
stops every machine or every deployment, ours or anybody's that uses the documented feature. HCA_REPAIRS=off starts it as published; the
probes of test/emulator run against both, and turn red when a repair is no longer needed. Nothing here knows our product."""

import contextvars
import functools
import json
import os
import threading

from ministack.app import main
from ministack.core import lambda_runtime
from ministack.services import apigateway
from ministack.services import eventbridge
from ministack.services import lambda_svc
from ministack.services import stepfunctions
from ministack.services.cloudformation import provisioners


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
    """What a Node function throws has errorType = the error's name, and one whose process ends is Runtime.ExitError. Published:
    Runtime.HandlerError, whatever happened."""
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
        ended = result.get("status") == "error" and result.get("error") == "Worker process died"
        thrown.name = "Runtime.ExitError" if ended else result.get("errorType")
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


def provision_archives() -> None:
    """CloudFormation knows AWS::Events::Archive. Published: an unknown type, although its EventBridge has archives."""

    def create(logical_id, props, stack_name):
        name = props.get("ArchiveName") or provisioners._physical_name(stack_name, logical_id, max_len=48)
        asked = {
            "ArchiveName": name,
            "EventSourceArn": props["SourceArn"],
            "Description": props.get("Description", ""),
            "EventPattern": json.dumps(props["EventPattern"]) if "EventPattern" in props else "",
            "RetentionDays": int(props.get("RetentionDays", 0)),
        }
        status, _, body = eventbridge._create_archive(asked)
        if status != 200:
            raise ValueError(f"AWS::Events::Archive {name}: {body!r}")
        return name, {"Arn": json.loads(body)["ArchiveArn"], "ArchiveName": name}

    def delete(physical_id, _props):
        eventbridge._delete_archive({"ArchiveName": physical_id})

    provisioners._RESOURCE_HANDLERS.setdefault("AWS::Events::Archive", {"create": create, "delete": delete})


def provision_alarms() -> None:
    """An alarm may watch an expression over several metrics. Published: refused. Repaired: it stands, on the first of its metrics."""
    handlers = provisioners._RESOURCE_HANDLERS["AWS::CloudWatch::Alarm"]

    def on_first_metric(handler):
        @functools.wraps(handler)
        def repaired(*args):
            return handler(*[first_metric(arg) if isinstance(arg, dict) else arg for arg in args])

        return repaired

    def first_metric(props):
        stats = [each["MetricStat"] for each in props.get("Metrics") or [] if "MetricStat" in each]
        if not stats:
            return props
        known = {name: value for name, value in props.items() if name != "Metrics"}
        return {**known, **stats[0]["Metric"], "Period": stats[0]["Period"], "Statistic": stats[0]["Stat"]}

    for name in ("create", "update"):
        if callable(handlers.get(name)):
            handlers[name] = on_first_metric(handlers[name])


def name_callers() -> None:
    """A WebSocket authorized by IAM has the caller in requestContext.identity. Published: the address and the user agent only."""
    caller = contextvars.ContextVar("caller", default=None)
    authorize = apigateway._authorize_ws_iam
    context = apigateway._ws_request_context

    @functools.wraps(authorize)
    def noting(scope, connect_arn, headers, query_params, region):
        caller.set(apigateway._iam_caller_identity_v2(headers, query_params))
        return authorize(scope, connect_arn, headers, query_params, region)

    @functools.wraps(context)
    def repaired(*args, **kwargs):
        event = context(*args, **kwargs)
        known = caller.get() or {}
        told = {"accessKey": "accessKey", "accountId": "accountId", "caller": "callerId", "user": "userId", "userArn": "userArn"}
        event["identity"].update({name: known[of] for name, of in told.items() if known.get(of)})
        return event

    apigateway._authorize_ws_iam = noting
    apigateway._ws_request_context = repaired


def call_from_rules() -> None:
    """A rule calls a function asynchronously: one that fails is called twice more, then its event goes to its on-failure destination.
    Published: called once, and what it failed on is gone, although the same emulator does it for any other asynchronous call."""

    def repaired(arn, payload):
        function, config, name = lambda_svc._get_func_record_for_ref(arn)
        if not function or not config:
            eventbridge.logger.warning("EventBridge: there is no function %s", name)
            return
        lambda_svc.invoke_async_with_retry(lambda_svc._execution_record_for_config(function, config), json.loads(payload))

    eventbridge._dispatch_to_lambda = repaired


if __name__ == "__main__":
    if os.environ.get("HCA_REPAIRS") != "off":
        count_redrives()
        evaluate_timeouts()
        name_errors()
        provision_archives()
        provision_alarms()
        name_callers()
        call_from_rules()
    main()
