// The sandbox port on an agent-server over REST means what it means here.
import { KINDS } from '../local/sandbox/sandboxes.ts';
import { sandboxSuite } from '../suites/sandbox.ts';
import { sandboxCommandsSuite } from '../suites/sandbox-commands.ts';
import { sandboxFilesSuite } from '../suites/sandbox-files.ts';
import { served } from './served-sandbox.ts';

for (const { name, bubblewrap } of KINDS) {
  sandboxSuite(`agent-server, ${name}`, (layout) => served(bubblewrap, layout));
  sandboxFilesSuite(`agent-server, ${name}`, (layout) => served(bubblewrap, layout));
  sandboxCommandsSuite(`agent-server, ${name}`, (layout) => served(bubblewrap, layout));
}
