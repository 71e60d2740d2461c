// Where the emulator of tier two differs from AWS's documentation (docs/decisions/0040). Each entry is run and expected to fail; one
// that passes turns the suite red, so that the list never outlives its reasons.

/** The emulator that the tier starts itself, and repairs. Another endpoint is measured by what AWS documents: nothing is expected to fail there. */
export const isOwn = process.env.HCA_TEST_EMULATOR === 'ministack';

/** Whether a test is in a list, at the emulator that the list is about. */
export const fails = (list: Readonly<Record<string, string>>, title: string): boolean =>
  isOwn && Object.hasOwn(list, title);

const SWALLOWED =
  'A function that fails instead of waiting fails its state on AWS, so that Retry and Catch see its error. Here the error is ' +
  'dropped and the state waits for its token until it times out.';

/** Named paths by name. */
export const FAILING_PATHS: Readonly<Record<string, string>> = {
  'Wave (delegate) of a coordinator finds a cancel': SWALLOWED,
  'Wave (delegate) of a coordinator meets a fault': SWALLOWED,
  'Review of a leaf finds a cancel': SWALLOWED,
  'Review of a leaf meets a fault': SWALLOWED,
  'Review of a coordinator finds a cancel': SWALLOWED,
  'Review of a coordinator meets a fault': SWALLOWED,
  'a review asks at the second attempt': SWALLOWED,
};

/** Probes by name. */
export const FAILING_PROBES: Readonly<Record<string, string>> = {
  'same name and input while open is the same execution': 'Any second use of a name is ExecutionAlreadyExists.',
  'a failed call of a waiting function fails its state': SWALLOWED,
  'a retried wait has a token of its own': 'The token is made once for a state, before its first attempt.',
  'an answer after the time-out is TaskTimedOut': 'The token is forgotten: TaskDoesNotExist.',
  'the expressions of one Assign see the variables as they were': 'Each is set before the next is evaluated.',
  'States.ALL does not catch States.DataLimitExceeded': 'There is no limit of 256 KiB between states.',
  'what a rule cannot deliver is in the queue of its target': 'It is dropped, and said in the log of the emulator.',
  'an event of the history names the one it follows': 'previousEventId is missing.',
  'the history tells the iterations of a Map': 'Neither the iterations nor the states in them leave an event.',
};

/** Tests of the AWS adapters (test/adapters/aws) by title. */
export const FAILING_ADAPTERS: Readonly<Record<string, string>> = {
  'a request that the database does not understand is a bug and stays one':
    'An update expression that is nonsense is taken for one that changes nothing.',
};

/** Probes that only the repaired emulator passes (scripts/emulator/repaired.py); as published each stops every machine of ours, the deployment, or every connection. */
export const REPAIRED_PROBES: Readonly<Record<string, string>> = {
  'Execution.RedriveCount is 0':
    'The context object has no RedriveCount, and an expression that yields nothing is an error.',
  'TimeoutSeconds is an expression': 'The text of the expression is waited for as a number: States.Runtime.',
  'a thrown error keeps its name':
    'Whatever a Node function throws is Runtime.HandlerError, so that no Retry or Catch by name matches.',
  'a function whose process ends is Runtime.ExitError': 'It is Runtime.HandlerError, like whatever is thrown.',
  'a function that a rule calls and that fails is called again, then its event is in its queue':
    'It is called once, and what it failed on is gone.',
  'CloudFormation makes an archive of a bus': 'An unknown resource type, although EventBridge there has archives.',
  'CloudFormation makes an alarm on an expression': 'Metric math is refused.',
  'a WebSocket authorized by IAM names its caller': 'requestContext.identity has the address and the user agent only.',
};
