// The body of a `GIT binary patch`: a zlib stream in git's base 85, 52 bytes a line. Stored blocks keep it pure.

/** Lines of one `literal` part, without the empty line that ends it. */
export function binaryLiteral(bytes: Uint8Array): string[] {
  const packed = zlibStored(bytes);
  const lines = [`literal ${bytes.length}`];
  for (let at = 0; at < packed.length; at += LINE) lines.push(encodeLine(packed.subarray(at, at + LINE)));
  return lines;
}

const LINE = 52;
const BLOCK = 0xffff;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

/** RFC 1950 and 1951 with uncompressed blocks: header, blocks of at most 65,535 bytes, Adler-32. */
function zlibStored(bytes: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / BLOCK));
  const out = new Uint8Array(2 + blocks * 5 + bytes.length + 4);
  const view = new DataView(out.buffer);
  out.set([0x78, 0x01]);
  let to = 2;
  for (let block = 0; block < blocks; block += 1) {
    const part = bytes.subarray(block * BLOCK, (block + 1) * BLOCK);
    out[to] = block === blocks - 1 ? 1 : 0;
    view.setUint16(to + 1, part.length, true);
    view.setUint16(to + 3, ~part.length & 0xffff, true);
    out.set(part, to + 5);
    to += 5 + part.length;
  }
  view.setUint32(to, adler32(bytes));
  return out;
}

function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b * 65536 + a;
}

/** First the length as a letter (A-Z is 1 to 26, a-z is 27 to 52), then five digits for every four bytes. */
function encodeLine(bytes: Uint8Array): string {
  const length = String.fromCharCode(bytes.length <= 26 ? 64 + bytes.length : 70 + bytes.length);
  let line = length;
  for (let at = 0; at < bytes.length; at += 4) {
    const word = [0, 1, 2, 3].reduce((sum, i) => sum * 256 + (bytes[at + i] ?? 0), 0);
    line += encodeWord(word);
  }
  return line;
}

function encodeWord(word: number): string {
  let digits = '';
  let rest = word;
  for (let i = 0; i < 5; i += 1) {
    digits = ALPHABET.charAt(rest % 85) + digits;
    rest = Math.floor(rest / 85);
  }
  return digits;
}
