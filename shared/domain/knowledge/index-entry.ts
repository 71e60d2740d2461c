// What the index takes, is asked and answers (L3-KBQ-02 to L3-KBQ-04).

/** How far an entry may be believed, lowest first; a minimum admits its own level and all above. */
export const TRUST = ['retired', 'quarantined', 'provisional', 'confirmed'] as const;
export type Trust = (typeof TRUST)[number];

/** A text field. `weight`: how often each of its words counts, a whole number from 1 to 15. */
export interface Field {
  name: string;
  weight: number;
}

/** Fields of a lesson. The situation is what a query describes; tags are chosen words, so both count twice. */
export const LESSON_FIELDS: readonly Field[] = [
  { name: 'situation', weight: 2 },
  { name: 'advice', weight: 1 },
  { name: 'did_not_work', weight: 1 },
  { name: 'tags', weight: 2 },
  { name: 'family', weight: 1 },
  { name: 'domain', weight: 1 },
];

/** What filters and multipliers read. `created_at`: milliseconds; the counts: tasks that used it, and that it helped or hurt. */
export interface Attributes {
  id: string;
  domain: string;
  family: string;
  type: string;
  tags: readonly string[];
  trust: Trust;
  used: number;
  helped: number;
  hurt: number;
  created_at: number;
}

/** One entry. `text`: by field name; a field the index does not know is not indexed, a missing one is empty. */
export interface Entry extends Attributes {
  text: Readonly<Record<string, string>>;
}

/**
 * A question. A filter left out admits everything, but `minimum_trust` is `provisional` unless given: what is quarantined or
 * retired is seen only by who asks for it. An empty list of tags filters nothing. `now`: milliseconds, the age of entries counts
 * from there. `limit`: at most 100, 10 unless given. A text without terms (empty, or stop words only) is answered with the
 * admitted entries in the order of trust, outcomes and recency.
 */
export interface Question {
  text: string;
  now: number;
  domain?: string | undefined;
  family?: string | undefined;
  type?: string | undefined;
  tags_any?: readonly string[] | undefined;
  tags_all?: readonly string[] | undefined;
  minimum_trust?: Trust | undefined;
  limit?: number | undefined;
}

/** Why an entry matched: a term, how the question spells it (the term itself when feedback added it), and the fields it is in. */
export interface Reason {
  term: string;
  word: string;
  origin: 'query' | 'feedback';
  fields: string[];
}

/** `score` = `relevance` (1 for a question without terms) times the three factors; hits come by score, ties by id. */
export interface Hit {
  id: string;
  score: number;
  relevance: number;
  factors: { trust: number; outcome: number; recency: number };
  why: Reason[];
}
