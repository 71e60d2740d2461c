// W3C trace context: one trace for everything below a root, whoever works on it and wherever; every part of it can say which one it is.
import { sha256Hex } from './digest.ts';

/** `traceparent` of something within a root task: one trace for each root, one span for each saying or call. */
export const traceOf = (root: string, span: string): string => `00-${hex(root, 32)}-${hex(span, 16)}-01`;

const hex = (text: string, length: number): string => sha256Hex(new TextEncoder().encode(text)).slice(0, length);
