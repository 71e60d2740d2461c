// What a lesson's text may not be: instructions, grants, claims about budgets, secrets, bytes (pitfall 47). Lessons are data, so even what slips
// through here grants nothing: a lesson can only reorder alternatives that the harness has anyway.

/** A kind of poison and what it looks like. The words are those that steer whoever reads them, not those that work is described with. */
interface Poison {
  reason: string;
  shapes: readonly RegExp[];
}

const INSTRUCTIONS: Poison = {
  reason: 'it reads like an instruction',
  shapes: [
    /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:instructions?|rules?|polic(?:y|ies)|prompts?|guardrails?|constraints?|criteri(?:a|on)|reviews?|verdicts?|approvals?)\b/i,
    /\b(?:skip|disable|turn off|switch off|do not run|don't run|never run)\b[^.\n]{0,30}\b(?:reviews?|verdicts?|criteri(?:a|on)|approvals?|evaluator|sandbox|checks?|tests?)\b/i,
    /\byou (?:are now|must now|must always|must|shall|have to)\b/i,
    /\b(?:system|developer|assistant) (?:prompt|message)\b|<\/?(?:system|assistant|user|tool|instructions?)>|\[\/?INST\]|<\|[a-z_]+\|>/i,
    /\b(?:always|from now on)[^.\n]{0,20}\b(?:accept|approve|pass|mark)\b/i,
    /\b(?:curl|wget)\b[^\n|]*\|\s*(?:ba|z)?sh\b|\brm\s+-rf\s+[/~]/i,
  ],
};

const GRANTS: Poison = {
  reason: 'it claims a grant of tools or permissions',
  shapes: [
    /\b(?:grants?|granted|allow(?:s|ed)?|permit(?:s|ted)?|authori[sz]e[ds]?|enable[ds]?|give[sn]?|unlock(?:s|ed)?)\b[^.\n]{0,40}\b(?:tools?|permissions?|network|internet|shell|root|admin|access|scopes?|side[ _-]effects?|credentials?)\b/i,
    /\b(?:tools?\.allow|side_effects|approved_by|can_delegate|policy)\b\s*[:=]/i,
  ],
};

const BUDGETS: Poison = {
  reason: 'it makes a claim about budgets',
  shapes: [
    /\b(?:unlimited|infinite|no limit|increase[ds]?|raise[ds]?|extend(?:s|ed)?|double[ds]?)\b[^.\n]{0,30}\b(?:budget|tokens|attempts|retries|calls|spend(?:ing)?)\b/i,
    /\b(?:budget|retries|attempts|usd|tokens)\b\s*[:=]\s*\d/i,
  ],
};

/** Poison that is kept apart: a person may look at it, nobody else gets it. */
const APART: readonly Poison[] = [INSTRUCTIONS, GRANTS, BUDGETS];

const SECRETS: readonly RegExp[] = [
  /\b(?:sk|pk|rk)[-_](?=[\w-]*\d)[\w-]{20,}/g,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|npm_|hf_)[\w-]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g,
  /\b(?:password|passwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token)\b\s*[:=]\s*["']?[^\s"']{8,}/gi,
  /\bbearer\s+[\w.~+/-]{16,}/gi,
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]+@/gi,
];

/** Every control character but line breaks and tabs, and the characters that hide or turn text around. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;

/** Why these texts are to be kept apart; null when they are plain. */
export const poisonIn = (texts: readonly string[]): string | null => {
  const whole = texts.map((text) => text.normalize('NFKC'));
  const found = APART.find(({ shapes }) => whole.some((text) => shapes.some((shape) => shape.test(text))));
  return found?.reason ?? null;
};

/** Whether a text holds something that looks like a secret: then it is not stored at all. */
export const hasSecret = (text: string): boolean => SECRETS.some((secret) => text.search(secret) >= 0);

/** Whether a text holds characters that are no text. */
export const hasControls = (text: string): boolean => text.search(CONTROLS) >= 0;

/** Tool output as a lesson may quote it: no control characters, secrets blacked out. */
export const asQuote = (text: string): string =>
  SECRETS.reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text.replaceAll(CONTROLS, ' '));
