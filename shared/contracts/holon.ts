// Holon cards and the holarchy file (L1-ID, L1-CAP, L1-HIE).
import * as z from 'zod';
import { HolonId } from './ids.ts';
import { Policy } from './policy.ts';

/** Place of a holon in the holarchy (requirements section 1). */
export const HolonRole = z.enum(['root', 'domain', 'leaf']);
export type HolonRole = z.infer<typeof HolonRole>;

/** A holon's own state; what it is doing is derived from its open tasks (L2-FSM-02). */
export const HolonState = z.enum(['ready', 'draining', 'offline']);
export type HolonState = z.infer<typeof HolonState>;

/** The Holon Card: identity, place, capabilities (L1-CAP-01 to L1-CAP-03). A coordinator's tools are those of its subtree. */
export const HolonCard = z.strictObject({
  id: HolonId,
  title: z.string().max(200).default(''),
  role: HolonRole,
  parent: HolonId.nullable().default(null),
  domain: z.string().min(1).max(63).default('general'),
  harness: z.string().min(1).max(63).nullable().default(null),
  families: z.array(z.string().min(1).max(63)).max(64).default([]),
  tools: z.array(z.string().min(1).max(128)).max(128).default([]),
  can_delegate: z.boolean().default(false),
  evaluates: z.boolean().default(false),
  capacity: z.int().min(0).max(10_000).default(64),
  state: HolonState.default('ready'),
});
export type HolonCard = z.infer<typeof HolonCard>;

/** The declarative file that names every holon, the root's global policy and the default budget. */
export const HolarchyFile = z.strictObject({
  version: z.literal(1),
  policy: Policy,
  holons: z.array(HolonCard).min(1).max(1000),
});
export type HolarchyFile = z.infer<typeof HolarchyFile>;
