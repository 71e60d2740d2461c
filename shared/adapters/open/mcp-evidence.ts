// Evidence of a tool call: hashes over everything, previews within bounds, and no secret in any of it (harness layer 5).
import { createHash, randomUUID } from 'node:crypto';
import type { Confinement, Evidence, ToolCall, ToolResult } from '#shared/contracts/evidence.ts';
import type { CommandResult } from './mcp-own-servers.ts';

/** Takes every known secret out of a text by value, in its plain, URL-encoded and base64 forms. */
export type Redact = (text: string) => string;

/** A value this short would be found everywhere and tell nothing. */
const SHORTEST_SECRET = 4;

export function redactor(secrets: readonly string[]): Redact {
  const forms = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
    .toSorted((a, b) => b.length - a.length);
  return (text) =>
    cutForms(
      forms,
      forms.reduce((rest, form) => rest.replaceAll(form, '[redacted]'), text),
    );
}

const CUT = /\n\[\.\.\. \d+ bytes left out \.\.\.\]\n/;

/** Where a bound cut the output, one half of a secret may be left on each side of the cut. */
function cutForms(forms: readonly string[], text: string): string {
  const cut = CUT.exec(text)?.[0];
  if (cut === undefined || forms.length === 0) return text;
  const [head = '', tail = ''] = text.split(cut, 2);
  const [left, right] = [
    halves(forms, (form, length) => head.endsWith(form.slice(0, length))),
    halves(forms, (form, length) => tail.startsWith(form.slice(-length))),
  ];
  return `${head.slice(0, head.length - left)}${cut}${tail.slice(right)}`;
}

/** Length of the longest part of a secret that is there; shorter than a secret may be is no trace of one. */
function halves(forms: readonly string[], found: (form: string, length: number) => boolean): number {
  const lengths = forms.flatMap((form) =>
    Array.from({ length: form.length }, (_, i) => (found(form, i + 1) ? i + 1 : 0)),
  );
  return Math.max(0, ...lengths.filter((length) => length >= SHORTEST_SECRET));
}

export type CallRecord = {
  call: ToolCall;
  kind: Evidence['kind'];
  started: number;
  text: string;
  command: CommandResult | null;
  confinement: Confinement;
};

/** `redact` is applied before a preview is cut, so that no half of a secret survives the cut. */
export function evidenceOf(record: CallRecord, redact: Redact): Evidence {
  const { call, kind, started, command, confinement } = record;
  const streams = command ?? streamsOf(record.text);
  return {
    id: randomUUID(),
    kind,
    tool: call.tool,
    arguments_sha256: sha256(canonical(call.arguments)),
    started_at: new Date(started).toISOString(),
    duration_ms: command?.duration_ms ?? Date.now() - started,
    exit_code: command?.exit_code ?? null,
    signal: command?.signal ?? null,
    timed_out: command?.timed_out ?? false,
    stdout_preview: bounded(redact(streams.stdout), PREVIEW).text,
    stderr_preview: bounded(redact(streams.stderr), PREVIEW).text,
    stdout_sha256: streams.stdout_sha256,
    stderr_sha256: streams.stderr_sha256,
    stdout_bytes: streams.stdout_bytes,
    stderr_bytes: streams.stderr_bytes,
    truncated: streams.truncated,
    confinement,
  };
}

/** Head and tail of a text within `limit` characters, with a line between them that says what is missing. */
export function bounded(text: string, limit: number): Pick<ToolResult, 'text' | 'truncated'> {
  if (text.length <= limit) return { text, truncated: false };
  const half = Math.floor((limit - 60) / 2);
  const gap = `\n[... ${text.length - half * 2} characters left out ...]\n`;
  return { text: `${text.slice(0, half)}${gap}${text.slice(-half)}`, truncated: true };
}

/** The same with every string redacted, however deep. */
export function redactAll(
  value: NonNullable<ToolResult['structured']>,
  redact: Redact,
): NonNullable<ToolResult['structured']> {
  return JSON.parse(
    JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'string' ? redact(inner) : inner)),
  );
}

const PREVIEW = 2048;

type Streams = Pick<
  CommandResult,
  'stdout' | 'stderr' | 'stdout_sha256' | 'stderr_sha256' | 'stdout_bytes' | 'stderr_bytes' | 'truncated'
>;

function streamsOf(text: string): Streams {
  return {
    stdout: text,
    stderr: '',
    stdout_sha256: sha256(text),
    stderr_sha256: sha256(''),
    stdout_bytes: Buffer.byteLength(text),
    stderr_bytes: 0,
    truncated: text.length > PREVIEW,
  };
}

/** JSON with sorted keys, so that the same arguments have the same hash however they were written down. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
