// How every client of a function connects: once below a machine's Retry, more often at a door, and no hop waits for ever (pitfall 41).
import type { Variables } from './environment.ts';

/** Longest that connecting and an answer may take, in ms. A bucket's bytes and a queue's wait take longer than a row. */
const CONNECT_MS = 2_000;
const ANSWER_MS = 25_000;

/** Settings of an AWS client; region, credentials and endpoint the SDK finds itself. */
export const connecting = ({ AWS_MAX_ATTEMPTS = '1' }: Variables) => ({
  maxAttempts: Number(AWS_MAX_ATTEMPTS),
  requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
});
