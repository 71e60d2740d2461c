// Events in the making: each knows the one before it in its scope; ids are given when all are there, in time order.
import type { HistoryEvent } from '#local/asl/history-event.ts';

/** What an event says beside its type, time and place in the chain. */
export type Details = Omit<HistoryEvent, 'id' | 'previousEventId' | 'timestamp' | 'type'>;

export interface Draft {
  readonly type: string;
  readonly timestamp: number;
  readonly previous: Draft | undefined;
  readonly details: Details;
}

/** Collects events along one chain at a time; `at` moves the chain. */
export class Timeline {
  readonly #drafts: Draft[] = [];
  #last: Draft | undefined;

  /** The end of the chain; set it to go on from another event. */
  get last(): Draft | undefined {
    return this.#last;
  }

  set last(draft: Draft | undefined) {
    this.#last = draft;
  }

  /** Adds an event after the last one. A clock that went back does not put an effect before its cause. */
  add(type: string, timestamp: number, details: Details = {}): void {
    const previous = this.#last;
    const draft = { type, timestamp: Math.max(timestamp, previous?.timestamp ?? 0), previous, details };
    this.#drafts.push(draft);
    this.#last = draft;
  }

  /** All events in time order. */
  events(): HistoryEvent[] {
    const ordered = [...this.#drafts].sort((a, b) => a.timestamp - b.timestamp);
    const ids = new Map(ordered.map((draft, index) => [draft, index + 1]));
    return ordered.map(({ type, timestamp, previous, details }, index) => ({
      id: index + 1,
      previousEventId: previous === undefined ? 0 : (ids.get(previous) ?? 0),
      timestamp,
      type,
      ...details,
    }));
  }
}
