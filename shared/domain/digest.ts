// SHA-1 (the object names git wants in a patch) and SHA-256 (ours), as pure functions: a rule may not touch node:crypto.

/** Hexadecimal SHA-256 of the bytes. */
export function sha256Hex(bytes: Uint8Array): string {
  return digest(bytes, { state: START_256, block: block256 });
}

/** Hexadecimal SHA-1 of the bytes; for git object names only, never for trust. */
export function sha1Hex(bytes: Uint8Array): string {
  return digest(bytes, { state: START_1, block: block1 });
}

/** Name that git gives a blob with this content: SHA-1 over `blob <length>\0<content>`. */
export function gitBlobName(bytes: Uint8Array): string {
  const head = new TextEncoder().encode(`blob ${bytes.length}\0`);
  const whole = new Uint8Array(head.length + bytes.length);
  whole.set(head);
  whole.set(bytes, head.length);
  return sha1Hex(whole);
}

type Hash = { state: readonly number[]; block: (state: Uint32Array, words: Uint32Array) => void };

function digest(bytes: Uint8Array, hash: Hash): string {
  const state = Uint32Array.from(hash.state);
  const words = new Uint32Array(80);
  const view = padded(bytes);
  for (let at = 0; at < view.byteLength; at += 64) {
    for (let i = 0; i < 16; i += 1) words[i] = view.getUint32(at + i * 4);
    hash.block(state, words);
  }
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}

/** Message, one bit, zeros, and the length in bits as 64-bit big endian; a multiple of 64 bytes. */
function padded(bytes: Uint8Array): DataView {
  const buffer = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  buffer.set(bytes);
  buffer[bytes.length] = 0x80;
  const view = new DataView(buffer.buffer);
  view.setUint32(buffer.length - 8, Math.floor(bytes.length / 0x2000_0000));
  view.setUint32(buffer.length - 4, bytes.length << 3);
  return view;
}

function block256(state: Uint32Array, w: Uint32Array): void {
  for (let i = 16; i < 64; i += 1) {
    const a = at(w, i - 15);
    const b = at(w, i - 2);
    const s0 = rotr(a, 7) ^ rotr(a, 18) ^ (a >>> 3);
    const s1 = rotr(b, 17) ^ rotr(b, 19) ^ (b >>> 10);
    w[i] = at(w, i - 16) + s0 + at(w, i - 7) + s1;
  }
  const v = Uint32Array.from(state);
  for (let i = 0; i < 64; i += 1) round256(v, at(K, i) + at(w, i));
  for (let i = 0; i < 8; i += 1) state[i] = at(state, i) + at(v, i);
}

function round256(v: Uint32Array, input: number): void {
  const [a, e] = [at(v, 0), at(v, 4)];
  const choice = (e & at(v, 5)) ^ (~e & at(v, 6));
  const majority = (a & at(v, 1)) ^ (a & at(v, 2)) ^ (at(v, 1) & at(v, 2));
  const t1 = at(v, 7) + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + choice + input;
  const t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + majority;
  v.copyWithin(1, 0, 7);
  v[4] = at(v, 4) + t1;
  v[0] = t1 + t2;
}

function block1(state: Uint32Array, w: Uint32Array): void {
  for (let i = 16; i < 80; i += 1) w[i] = rotl(at(w, i - 3) ^ at(w, i - 8) ^ at(w, i - 14) ^ at(w, i - 16), 1);
  const v = Uint32Array.from(state);
  for (let i = 0; i < 80; i += 1) {
    const [b, c, d] = [at(v, 1), at(v, 2), at(v, 3)];
    const next = rotl(at(v, 0), 5) + mix(Math.floor(i / 20), { b, c, d }) + at(v, 4) + at(w, i);
    v.copyWithin(1, 0, 4);
    v[2] = rotl(b, 30);
    v[0] = next;
  }
  for (let i = 0; i < 5; i += 1) state[i] = at(state, i) + at(v, i);
}

function mix(quarter: number, { b, c, d }: { b: number; c: number; d: number }): number {
  if (quarter === 0) return ((b & c) | (~b & d)) + 0x5a827999;
  if (quarter === 2) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + (quarter === 1 ? 0x6ed9eba1 : 0xca62c1d6);
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

function rotr(x: number, n: number): number {
  return (x >>> n) | (x << (32 - n));
}

function rotl(x: number, n: number): number {
  return (x << n) | (x >>> (32 - n));
}

const START_1 = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];

/** First 32 bits of the fractional part of the square roots of the first 8 primes, and the cube roots of the first 64 (FIPS 180-4). */
const PRIMES = firstPrimes(64);
const START_256 = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const K = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));

function fraction(x: number): number {
  return Math.floor((x - Math.floor(x)) * 0x1_0000_0000) >>> 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n += 1) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  return primes;
}
