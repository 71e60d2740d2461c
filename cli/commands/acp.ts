// `hca acp`: an agent for editors, over stdin and stdout; stdout holds protocol lines and nothing else.
import { bridge } from '#shared/client/bridge.ts';
import { EXIT } from '#shared/contracts/errors.ts';
import type { CommandSpec } from '../define.ts';
import { editorFolders } from '../editor-folders.ts';

export const acp: CommandSpec = {
  name: 'acp',
  args: [],
  summary: 'speak the Agent Client Protocol with an editor, over stdin and stdout',
  options: [
    {
      flags: '--on-host',
      text: 'folders are the host’s own; without it their content is handed over (with --endpoint)',
    },
  ],
  examples: ['hca acp', 'hca acp --endpoint wss://hca.example.org/acp'],
  run: async (app, given) => {
    const door = await app.door();
    const isHere = app.endpoint === undefined || given.options.onHost === true;
    const folders = isHere ? {} : editorFolders(door, app.home, (text) => void process.stderr.write(`hca: ${text}\n`));
    // An editor that keeps its end open must not keep a process that has lost its host.
    const input = linesOf(process.stdin);
    try {
      await bridge(door.address, { input, write: (line) => void process.stdout.write(`${line}\n`), ...folders });
    } finally {
      process.stdin.destroy();
    }
    return EXIT.accepted;
  },
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
