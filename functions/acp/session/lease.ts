// Who sends what a connection is owed: one process at a time for each session it follows, by a claim that runs out, so that two that were woken
// at once neither double nor reorder anything (architecture 2).
import type { Attachment, Position } from '#shared/contracts/acp-session.ts';
import { isFault } from '#shared/contracts/errors.ts';
import type { Peer } from './peer.ts';

/** A process that stands still this long has lost its claim; one that goes on sending renews it in time. */
const LEASE_MS = 20_000;

/** A claim that is held. */
export interface Lease {
  /** The peer to send to: what it sends keeps the claim alive. */
  peer: Peer;
  /** Everything up to here was sent. */
  reached(position: Position): void;
  /** Gives it back, with how far it came. @throws HcaFault HcaConflict when it was lost meanwhile. */
  release(): Promise<Attachment>;
}

/** Claims what was read, or undefined: somebody else has it. */
export const claim = async (peer: Peer, seen: Attachment): Promise<Lease | undefined> => {
  const { clock } = peer.door.ports;
  if (seen.claimed_until > clock.now()) return undefined;
  const held = { attachment: seen };
  const save = async (claimed_until: number): Promise<Attachment> => {
    const next = { ...held.attachment, claimed_until };
    await peer.door.ports.sessions.move(next);
    held.attachment = { ...next, version: next.version + 1 };
    return held.attachment;
  };
  const renew = (): Promise<Attachment> => save(clock.now() + LEASE_MS);
  if (!(await isTaken(renew))) return undefined;
  const send: Peer['send'] = async (frame, session) => {
    if (held.attachment.claimed_until - clock.now() < LEASE_MS / 2) await renew();
    await peer.send(frame, session);
  };
  return {
    peer: { ...peer, send },
    reached: (position) => {
      held.attachment = { ...held.attachment, position };
    },
    release: () => save(0),
  };
};

const isTaken = async (take: () => Promise<unknown>): Promise<boolean> => {
  try {
    await take();
    return true;
  } catch (error) {
    if (isFault(error) && error.code === 'HcaConflict') return false;
    throw error;
  }
};
