// A witness of every save, across restarts: an illegal move, a decision taken twice, and every tool call.
import type { AnyRecord } from '#shared/contracts/task.ts';
import { DELEGATION_MOVES, REVIEW_MOVES, TASK_MOVES } from '#shared/domain/lifecycle.ts';
import type { ToolContext } from '#shared/ports/tools.ts';
import type { Hook } from './intercept.ts';

/** What it saw. `illegal` and `twice` must stay empty. */
export interface Witness {
  hook: Hook;
  illegal: string[];
  twice: string[];
  /** Record and state, in the order of the saves. */
  moves: string[];
  tools: { task: string; lane: string }[];
}

const MOVES: Record<AnyRecord['kind'], Readonly<Record<string, readonly string[]>>> = {
  task: TASK_MOVES,
  delegation: DELEGATION_MOVES,
  review: REVIEW_MOVES,
};

/** Steps that save once after two moves: an answer passes through `offered`, a verdict through `judging`, a new plan through `planning`. */
const THROUGH: Readonly<Record<string, string>> = { answer: 'offered', judge: 'judging', plan: 'planning' };

/** Sweep ends what is lost, through every move that leads there. */
const isWay = (moves: Readonly<Record<string, readonly string[]>>, from: string, to: string): boolean =>
  ['escalating', 'compounding', 'judging'].some((over) => moves[from]?.includes(over)) ||
  moves[from]?.includes(to) === true;

const isLegal = (record: AnyRecord, from: string): boolean => {
  const moves = MOVES[record.kind];
  const through = THROUGH[record.last?.step ?? ''] ?? '';
  return (
    from === record.state ||
    (record.last?.step === 'sweep' && isWay(moves, from, record.state)) ||
    moves[from]?.includes(record.state) === true ||
    (moves[from]?.includes(through) === true && moves[through]?.includes(record.state) === true)
  );
};

export const witness = (): Witness => {
  const states = new Map<string, string>();
  const decided = new Map<string, number>();
  const seen: Omit<Witness, 'hook'> = { illegal: [], twice: [], moves: [], tools: [] };
  const born = (record: AnyRecord): void => {
    if (!states.has(record.id)) states.set(record.id, record.state);
  };
  const saved = (record: AnyRecord): void => {
    born(record);
    const from = states.get(record.id) ?? record.state;
    if (!isLegal(record, from)) seen.illegal.push(`${record.id}: ${from} > ${record.state} by ${record.last?.step}`);
    states.set(record.id, record.state);
    seen.moves.push(`${record.id} ${record.state}`);
    const moment = `${record.id} ${record.last?.step} ${JSON.stringify(record.last?.at)}`;
    if (decided.has(moment)) seen.twice.push(`${moment} in versions ${decided.get(moment)} and ${record.version}`);
    decided.set(moment, record.version);
  };
  const hook: Hook = async (call) => {
    if (call.name === 'tools.call') {
      const { task, lane } = call.args[0] as ToolContext;
      seen.tools.push({ task, lane });
    }
    const result = await call.run();
    if (call.name === 'tasks.put' && result === true) born(call.args[0] as AnyRecord);
    if (call.name === 'tasks.save') saved(call.args[0] as AnyRecord);
    return result;
  };
  return { ...seen, hook };
};
