// Translates what an AWS client throws into faults that name the resource and the remedy (architecture section 10).
// Names as in the API references of DynamoDB, S3, EventBridge, Step Functions and Secrets Manager, under "Common Errors".
import { type FaultCode, HcaFault } from '#shared/contracts/errors.ts';

interface Translation {
  code: FaultCode;
  says: string;
  remedy: string;
}

const BUSY: Translation = { code: 'HcaThrottled', says: 'takes no more requests for now', remedy: 'try again' };
const AWAY: Translation = { code: 'HcaUnavailable', says: 'cannot be reached', remedy: 'try again' };
const RACE: Translation = { code: 'HcaConflict', says: 'was changed at the same time', remedy: 'try again' };
const LARGE: Translation = {
  code: 'HcaTooLarge',
  says: 'does not hold anything that large',
  remedy: 'give it less; content belongs in an artifact',
};
const FORBIDDEN: Translation = {
  code: 'HcaInternal',
  says: 'may not be used by this function',
  remedy: 'deploy again: the grants of a function are derived from its register row',
};
const MISSING: Translation = {
  code: 'HcaInternal',
  says: 'does not exist',
  remedy: 'deploy the stack of this environment, and check the region',
};
const UNKNOWN_CALLER: Translation = {
  code: 'HcaInternal',
  says: 'does not accept the credentials',
  remedy: 'give valid credentials and check the clock of this machine',
};

const BY_NAME: Readonly<Record<string, Translation>> = {
  ...named(BUSY, 'ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded', 'SlowDown'),
  ...named(BUSY, 'ThrottledException', 'Throttling', 'TooManyRequestsException', 'LimitExceededException'),
  ...named(BUSY, 'ExecutionLimitExceeded', 'RequestThrottled', 'RequestThrottledException'),
  ...named(RACE, 'TransactionConflictException', 'ReplicatedWriteConflictException'),
  ...named(RACE, 'ConditionalRequestConflict', 'OperationAborted'),
  ...named(AWAY, 'InternalServerError', 'ServiceUnavailable', 'ServiceUnavailableException', 'InternalFailure'),
  ...named(AWAY, 'TimeoutError', 'RequestTimeout', 'NetworkingError', 'AbortError'),
  ...named(LARGE, 'ItemCollectionSizeLimitExceededException', 'RequestEntityTooLarge', 'EntityTooLarge'),
  ...named(FORBIDDEN, 'AccessDeniedException', 'AccessDenied', 'NotAuthorizedException'),
  ...named(MISSING, 'ResourceNotFoundException', 'NoSuchBucket', 'StateMachineDoesNotExist', 'TableNotFoundException'),
  ...named(MISSING, 'QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue'),
  ...named(UNKNOWN_CALLER, 'UnrecognizedClientException', 'InvalidSignatureException', 'ExpiredTokenException'),
  ...named(UNKNOWN_CALLER, 'CredentialsProviderError', 'MissingAuthenticationTokenException', 'InvalidAccessKeyId'),
  ...named(UNKNOWN_CALLER, 'ExpiredToken', 'SignatureDoesNotMatch', 'InvalidClientTokenId'),
};

/** Codes of Node's sockets: the request may or may not have arrived, and every call of ours may be repeated. */
const SOCKET = /^(ECONN|ENOTFOUND|ETIMEDOUT|EPIPE|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/;

/**
 * What a caught error of an AWS client is thrown on as. A fault and a bug (a request that the API does not understand) stay what they are.
 * @param what the resource as a person knows it, e.g. `table hca-dev-tasks`.
 */
export const awsFault = (caught: unknown, what: string): unknown => {
  if (!(caught instanceof Error) || caught instanceof HcaFault) return caught;
  const translation = translationOf(caught);
  if (translation === undefined) return caught;
  const { code, says, remedy } = translation;
  return new HcaFault(code, {
    message: `the ${what} ${says} (${caught.name}: ${caught.message})`,
    field: what,
    remedy,
    cause: caught,
  });
};

function translationOf(caught: Error): Translation | undefined {
  if (Object.hasOwn(BY_NAME, caught.name)) return BY_NAME[caught.name];
  if (caught.name === 'ValidationException' && /size/i.test(caught.message)) return LARGE;
  if ('code' in caught && SOCKET.test(String(caught.code))) return AWAY;
  const status = statusOf(caught);
  if (status === 429) return BUSY;
  return status >= 500 ? AWAY : undefined;
}

/** Status of the answer, 0 when there was none. */
function statusOf(caught: Error): number {
  const metadata: unknown = Reflect.get(caught, '$metadata');
  const status: unknown = typeof metadata === 'object' && metadata !== null && Reflect.get(metadata, 'httpStatusCode');
  return typeof status === 'number' ? status : 0;
}

function named(translation: Translation, ...names: string[]): Record<string, Translation> {
  return Object.fromEntries(names.map((name) => [name, translation]));
}
