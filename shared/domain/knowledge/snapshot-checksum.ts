// Checksum of a snapshot: finds torn and flipped bytes, no more; whoever can write snapshots can also write the checksum.

/** 32 bits over all words, after MurmurHash3: every word is mixed in, in order. */
export const checksum = (words: Uint32Array): number => {
  let hash = words.length;
  for (let at = 0; at < words.length; at += 1) {
    const mixed = Math.imul(words[at] ?? 0, 0xcc9e2d51);
    hash ^= Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
};
