// `hca acp`: an agent for editors, over stdin and stdout; stdout holds protocol lines and nothing else.
import * as z from 'zod';
import type { DoorAddress } from '#shared/client/address.ts';
import { bridge } from '#shared/client/bridge.ts';
import { EXIT, HcaFault } from '#shared/contracts/errors.ts';
import type { App } from '../app.ts';
import { type CommandSpec, readOptions } from '../define.ts';

const Options = z.object({ endpoint: z.string().optional() });

export const acp: CommandSpec = {
  name: 'acp',
  args: [],
  summary: 'speak the Agent Client Protocol with an editor, over stdin and stdout',
  options: [{ flags: '--endpoint <url>', text: 'a host elsewhere, wss://…; its token is read from $HCA_TOKEN' }],
  examples: ['hca acp', 'HCA_TOKEN=… hca acp --endpoint wss://hca.example.org/acp'],
  run: async (app, given) => {
    const { endpoint } = readOptions(Options, given);
    const address = endpoint === undefined ? (await app.door()).address : remote(app, endpoint);
    // An editor that keeps its end open must not keep a process that has lost its host.
    const input = linesOf(process.stdin);
    try {
      await bridge(address, { input, write: (line) => void process.stdout.write(`${line}\n`) });
    } finally {
      process.stdin.destroy();
    }
    return EXIT.accepted;
  },
};

const remote = ({ env }: App, endpoint: string): DoorAddress => {
  if (!URL.canParse(endpoint) || !/^(wss?|https?):$/.test(new URL(endpoint).protocol)) {
    throw new HcaFault('HcaBadInput', {
      message: `"${endpoint}" is no address of a host`,
      field: '--endpoint',
      remedy: 'give something like wss://hca.example.org/acp',
    });
  }
  if (env.HCA_TOKEN) return { url: endpoint, token: env.HCA_TOKEN };
  throw new HcaFault('HcaBadInput', {
    message: 'a host elsewhere wants a token',
    field: 'HCA_TOKEN',
    remedy: 'set HCA_TOKEN to the token of that host',
  });
};

/** Lines as they come; what follows the last line break is one too. Reads no faster than they are taken. */
async function* linesOf(input: NodeJS.ReadStream): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of input.setEncoding('utf8')) {
    const lines = `${rest}${String(piece)}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}
