// Harness packages at the northbound door: `_hca/harness/*` (the table is acp.ts).
import * as z from 'zod';
import type { MethodRow } from './acp-host.ts';
import { Difference } from './difference.ts';
import { HarnessPackage } from './profile.ts';

/** Where a package comes from: with hca, or put into this house. */
export const HarnessOrigin = z.enum(['shipped', 'own']);
export type HarnessOrigin = z.infer<typeof HarnessOrigin>;

/** A package in force. `replaces`: the version of the shipped package that it stands in for; `holons`: who works with it. */
export const HarnessLine = z.object({
  name: z.string(),
  version: z.int(),
  title: z.string(),
  origin: HarnessOrigin,
  replaces: z.int().nullable(),
  families: z.array(z.string()),
  tools: z.array(z.string()),
  holons: z.array(z.string()),
});
export type HarnessLine = z.infer<typeof HarnessLine>;

const name = HarnessPackage.shape.name;

/** A package beside the one in force: its version now (null: there is none) and everything that differs but the version. */
const Compared = z.object({
  name: z.string(),
  version: z.int(),
  was: z.int().nullable(),
  changes: z.array(Difference),
});

export const HARNESS_METHODS = {
  '_hca/harness/list': {
    params: z.object({}),
    result: z.object({ harnesses: z.array(HarnessLine) }),
    scope: 'read',
    summary: 'Every harness package in force.',
    command: 'harness list',
  },
  '_hca/harness/show': {
    params: z.object({ name }),
    result: z.object({ origin: HarnessOrigin, package: HarnessPackage }),
    scope: 'read',
    summary: 'One harness package, whole.',
    command: 'harness show',
  },
  '_hca/harness/check': {
    params: z.object({ package: HarnessPackage }),
    result: Compared,
    scope: 'read',
    summary: 'Checks a package and says what it would change; changes nothing.',
    command: 'harness check',
  },
  '_hca/harness/put': {
    params: z.object({ package: HarnessPackage }),
    result: Compared.extend({ stored: z.boolean() }),
    scope: 'admin',
    summary: 'Puts a package in force; of one name the highest version.',
    command: 'harness put',
  },
  '_hca/harness/remove': {
    params: z.object({ name }),
    result: z.object({ name: z.string(), back: z.int().nullable() }),
    scope: 'admin',
    summary: 'Takes a package back that was put; one that comes with hca under its name is in force again.',
    command: 'harness remove',
  },
} as const satisfies Record<`_hca/${string}`, MethodRow>;
