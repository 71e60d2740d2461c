// The X-Ray header of the invocation that runs: what it publishes and starts goes on in the same trace.

/** Undefined where nothing is traced. */
export const traceHeader = (): string | undefined => process.env._X_AMZN_TRACE_ID;
