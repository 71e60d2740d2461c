// A prompt that is no task: questions about hca itself and courtesies get an answer from the holarchy and its harness packages, without a model.
import { previewPlan } from '../plan.ts';
import { folderOf } from './folder.ts';
import type { At } from './turn.ts';

/** What is said, and artifacts to link. */
export interface Said {
  text: string;
  links: { id: string; version: number; media_type: string; bytes: number }[];
}

/** An answer, or undefined when the prompt is a task: also one that is put as a question, such as "can you make the tests pass?". */
export const talk = async (at: At): Promise<Said | undefined> => {
  const { text, given } = at.turn;
  if (given.goal !== undefined || !isTalk(text)) return undefined;
  if (!isCourtesy(text) && (await isPlannable(at))) return undefined;
  return { text: await abilities(at), links: [] };
};

const COURTESY = /^\s*(hi|hello|hey|help|thanks?( you)?|thank you|ok(ay)?|good (morning|evening|day))\b[\s!.?]*$/i;
const QUESTION = /\?\s*$|^\s*(what|who|how|why|which|when|where|can|could|do|does|are|is)\b/i;

const isCourtesy = (text: string): boolean => COURTESY.test(text);

/** "Tell me what you can do" asks without being a question. */
const ABOUT = /^\s*(please\s+)?(tell|show|explain|describe|list|introduce)\b.*\b(you|your|yourself|hca)\b/is;

const isTalk = (text: string): boolean => isCourtesy(text) || QUESTION.test(text) || ABOUT.test(text);

const isPlannable = async ({ turn, session, peer }: At): Promise<boolean> => {
  const params = { goal: turn.text, workspace: folderOf(turn, session), criteria: [] };
  const plan = await previewPlan({ params, principal: peer.principal, door: peer.door });
  return plan.ok;
};

/** At most this many examples: a person reads them. */
const EXAMPLES = 12;

const abilities = async ({ turn, session, peer }: At): Promise<string> => {
  const { holons, profiles } = peer.door.ports;
  const cards = await holons.all(turn.tenant);
  const known = new Set(cards.flatMap(({ families }) => families));
  const families = (await profiles.all()).flatMap((harness) => harness.families).filter(({ name }) => known.has(name));
  const lines = families.slice(0, EXAMPLES).map(({ title, examples }) => `- ${title}: "${examples[0] ?? ''}"`);
  return [
    `I take a goal for ${session.cwd}, work on a copy of it, have the result reviewed by another holon, and offer you the change.`,
    '',
    'What I can do:',
    ...lines,
    '',
    `${cards.length} holons are ready: ${cards.map(({ id }) => id).join(', ')}.`,
    'Commands: /status, /apply, /cancel, /approve, /artifacts, /lessons. "also …" goes on from the last result.',
  ].join('\n');
};
