// Keeps head and tail of a stream within a limit, and counts and hashes all of it.
import { createHash } from 'node:crypto';

export class BoundedOutput {
  readonly #half: number;
  readonly #hash = createHash('sha256');
  #head = Buffer.alloc(0);
  #tail: Buffer[] = [];
  #tailBytes = 0;
  bytes = 0;

  /** `limit`: bytes kept, half of them from the beginning. */
  constructor(limit: number) {
    this.#half = Math.max(1, Math.floor(limit / 2));
  }

  add(chunk: Buffer): void {
    this.bytes += chunk.length;
    this.#hash.update(chunk);
    const room = this.#half - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    if (chunk.length > room) this.#addTail(chunk.subarray(Math.max(0, room)));
  }

  get truncated(): boolean {
    return this.bytes > this.#half * 2;
  }

  /** Everything when it fits; else head, a line that says how much is missing, and tail. Broken characters at the cuts are replaced. */
  text(): string {
    const tail = Buffer.concat(this.#tail);
    if (!this.truncated) return Buffer.concat([this.#head, tail]).toString('utf8');
    const end = tail.subarray(Math.max(0, tail.length - this.#half));
    const missing = this.bytes - this.#head.length - end.length;
    return `${this.#head.toString('utf8')}\n[... ${missing} bytes left out ...]\n${end.toString('utf8')}`;
  }

  sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  #addTail(chunk: Buffer): void {
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    for (
      let first = this.#tail[0];
      first !== undefined && this.#tailBytes - first.length >= this.#half;
      first = this.#tail[0]
    ) {
      this.#tail.shift();
      this.#tailBytes -= first.length;
    }
  }
}
