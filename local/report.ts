// What a host says to the command that started it: ready, busy (another host has the home), or why it cannot start. One JSON line on file
// descriptor 3, if the command asked for it with HCA_REPORT_FD.
import { closeSync, writeSync } from 'node:fs';
import * as z from 'zod';
import type { HcaFault } from '#shared/contracts/errors.ts';

const FD = 3;

/** As it is read on the other side. */
export const HostReport = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ busy: z.literal(true) }),
  z.object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      field: z.string().optional(),
      remedy: z.string().optional(),
    }),
  }),
]);
export type HostReport = z.infer<typeof HostReport>;

/** Says it, once: the descriptor is closed afterwards. */
export const report = (what: { ready: true } | { busy: true } | { error: HcaFault }): void => {
  if (process.env.HCA_REPORT_FD !== String(FD)) return;
  delete process.env.HCA_REPORT_FD;
  try {
    writeSync(FD, `${JSON.stringify('error' in what ? { error: lineOf(what.error) } : what)}\n`);
    closeSync(FD);
  } catch {
    // The command has gone already; the host runs on for the next one.
  }
};

const lineOf = ({ code, message, field, remedy }: HcaFault) => ({ code, message, field, remedy });
