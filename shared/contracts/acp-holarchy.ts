// Holons and the holarchy at the northbound door: `_hca/holon/*` and `_hca/holarchy/*` (the table is acp.ts).
import * as z from 'zod';
import { HolonStatus, type MethodRow } from './acp-host.ts';
import { Difference } from './difference.ts';
import { HolarchyFile, HolonCard } from './holon.ts';
import { HolonId } from './ids.ts';

const nothing = z.object({});

/** A file beside the holarchy in force. `open`: open tasks of holons that the file leaves out. */
const Compared = z.object({
  changes: z.array(Difference),
  open: z.array(z.object({ holon: z.string(), open: z.int() })),
});

export const HOLARCHY_METHODS = {
  '_hca/holon/list': {
    params: nothing,
    result: z.object({ holons: z.array(HolonCard) }),
    scope: 'read',
    summary: 'Every Holon Card.',
    command: 'holon list',
  },
  '_hca/holon/card': {
    params: z.object({ holon: HolonId }),
    result: HolonCard,
    scope: 'read',
    summary: 'One Holon Card.',
    command: 'card',
  },
  '_hca/holon/status': {
    params: z.object({ holon: HolonId }),
    result: HolonStatus,
    scope: 'read',
    summary: 'What a holon is doing.',
    command: 'holon status',
  },
  '_hca/holon/add': {
    params: z.object({ card: HolonCard }),
    result: HolonCard,
    scope: 'admin',
    summary: 'Registers or replaces a holon.',
    command: 'holon add',
  },
  '_hca/holarchy/show': {
    params: nothing,
    result: HolarchyFile,
    scope: 'read',
    summary: 'The holarchy as a file.',
    command: 'holarchy show',
  },
  '_hca/holarchy/diff': {
    params: z.object({ file: HolarchyFile }),
    result: Compared,
    scope: 'read',
    summary: 'Checks a holarchy file and says what it would change; changes nothing.',
    command: 'holarchy diff',
  },
  '_hca/holarchy/apply': {
    params: z.object({ file: HolarchyFile, force: z.boolean().default(false) }),
    result: Compared.extend({ holons: z.int(), root: z.string(), applied: z.boolean() }),
    scope: 'admin',
    summary:
      'Makes a holarchy file the one in force; refused while a holon that it leaves out has open tasks, unless forced.',
    command: 'holarchy apply',
  },
} as const satisfies Record<`_hca/${string}`, MethodRow>;
