// What the cloud charges, us-east-1, from the public price lists of 2026-11; check again before quoting. Dollars for a million of each unit.

/** Units that a task uses; each is counted where it is spent. */
export const UNITS = [
  'transitions',
  'invocations',
  'gb_seconds',
  'reads',
  'writes',
  'events',
  'puts',
  'gets',
  'messages',
] as const;
export type Unit = (typeof UNITS)[number];

/** Counts by unit. `reads`, `writes`: units of 4 KB and 1 KB; `events`: chunks of 64 KB; `messages`: of the HTTP or WebSocket door. */
export type Usage = Readonly<Record<Unit, number>>;

/** Nothing of anything yet, to be added to. */
export const noUsage = (): Record<Unit, number> => ({
  transitions: 0,
  invocations: 0,
  gb_seconds: 0,
  reads: 0,
  writes: 0,
  events: 0,
  puts: 0,
  gets: 0,
  messages: 0,
});

/** The day the prices were read. */
export const RATES_OF = '2026-11-30';

/** Dollars per million units: Step Functions Standard; Lambda requests, and GB-seconds on arm64; DynamoDB on demand (strong reads); EventBridge; S3; API Gateway. */
export const RATES: Usage = {
  transitions: 25,
  invocations: 0.2,
  gb_seconds: 13.333_4,
  reads: 0.125,
  writes: 0.625,
  events: 1,
  puts: 5,
  gets: 0.4,
  messages: 1,
};

/** Micro-dollars of a usage: a price per million is the micro-dollars of one. */
export const priceOf = (usage: Partial<Usage>): number =>
  UNITS.reduce((sum, unit) => sum + (usage[unit] ?? 0) * RATES[unit], 0);
