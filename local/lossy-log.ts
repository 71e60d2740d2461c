// The host's log is for a person who looks for a reason; a log that cannot be written (a full disk) is lost, and never ends the host.

/** Call once, first. */
export const lossyLog = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
};
