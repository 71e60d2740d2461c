// A task that is a sandbox, as the stack that defines it and the functions that start it must both know it (decision 60). The names are those of the
// OpenHands agent-server, 1.44.

/** `wakeKey`: the variable with the key that a sleeping server is woken with; it has to be set, without it anybody may wake the server. */
export const SANDBOX_TASK = { container: 'agent-server', port: 8000, wakeKey: 'OH_SECRET_KEY' } as const;
