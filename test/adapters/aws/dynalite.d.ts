// What the tests use of dynalite, which comes without types.
declare module 'dynalite' {
  import type { Server } from 'node:http';

  /** A DynamoDB in this process; tables are ready after `createTableMs`. */
  const dynalite: (options: { createTableMs: number; deleteTableMs: number }) => Server;
  export = dynalite;
}
