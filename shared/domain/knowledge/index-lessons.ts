// The index of lessons: put, remove, ask; and its snapshot (L3-KBQ-01 to L3-KBQ-04). In memory, no I/O; the record stays elsewhere.
import { type Entry, type Field, type Hit, LESSON_FIELDS, type Question } from './index-entry.ts';
import { createStore, hasManyHoles, putEntry, removeEntry, type Store } from './index-store.ts';
import { searchStore } from './rank-search.ts';
import { decodeStore, type Unreadable } from './snapshot-decode.ts';
import { encodeStore } from './snapshot-encode.ts';

/** An index. Not to be used from within its own calls; every call is synchronous. */
export interface LessonIndex {
  /** Entries in it. */
  readonly size: number;
  has(id: string): boolean;
  /** Adds, or replaces what has the id. */
  put(entry: Entry): void;
  /** False when no entry has the id. */
  remove(id: string): boolean;
  search(question: Question): Hit[];
  /** Bytes for decodeSnapshot. */
  snapshot(): Uint8Array;
}

/** An empty index over these fields. */
export const createIndex = (fields: readonly Field[] = LESSON_FIELDS): LessonIndex => over(createStore(fields));

/** The index that the bytes hold, or why they hold none. */
export const decodeSnapshot = (bytes: Uint8Array): LessonIndex | Unreadable => {
  const store = decodeStore(bytes);
  return typeof store === 'string' ? store : over(store);
};

function over(first: Store): LessonIndex {
  let store = first;
  return {
    get size() {
      return store.slots.size;
    },
    has: (id) => store.slots.has(id),
    put: (entry) => {
      putEntry(store, entry);
      store = packed(store);
    },
    remove: (id) => {
      const removed = removeEntry(store, id);
      store = packed(store);
      return removed;
    },
    search: (question) => searchStore(store, question),
    snapshot: () => encodeStore(store),
  };
}

/** Writes the store anew without its empty slots, once they outnumber the entries: constant work for each removal, on average. */
function packed(store: Store): Store {
  if (!hasManyHoles(store)) return store;
  const fresh = decodeStore(encodeStore(store));
  return typeof fresh === 'string' ? store : fresh;
}
