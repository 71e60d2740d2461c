// What a task spent, as an ACP client is shown it: tokens of its budget and dollars; all five amounts beside that (L1-DEL-03).
import type { Budget } from '#shared/contracts/budget.ts';
import type { SessionUpdate } from './wire.ts';

/** 1 dollar is 1,000,000 micro-dollars. */
const MICROS = 1_000_000;

export const usageUpdate = (spent: Budget, budget: Budget): SessionUpdate => ({
  sessionUpdate: 'usage_update',
  used: spent.tokens,
  size: budget.tokens,
  cost: { amount: spent.usd_micros / MICROS, currency: 'USD' },
  _meta: { hca: { spent, budget } },
});
