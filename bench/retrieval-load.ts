// A process that has loaded nothing yet reads one snapshot of the index and says how long that took and what it holds.
import { readFileSync } from 'node:fs';
import { decodeSnapshot } from '#shared/domain/knowledge/index-lessons.ts';

const bytes = new Uint8Array(readFileSync(process.argv[2] ?? ''));
const [began, used] = [performance.now(), process.threadCpuUsage()];
const index = decodeSnapshot(bytes);
const ms = performance.now() - began;
const { user, system } = process.threadCpuUsage(used);
if (typeof index === 'string') throw new Error(`not loaded: ${index}`);
console.log(
  JSON.stringify({ ms, own_ms: (user + system) / 1000, rss: process.memoryUsage().rss / 1e6, lessons: index.size }),
);
