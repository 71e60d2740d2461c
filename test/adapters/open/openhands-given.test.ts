// The sandbox port on the agent-server that OpenHands publishes means what it means here. Runs where one is given (HCA_TEST_OPENHANDS).
import { describe, it } from 'vitest';
import { sandboxSuite } from '../suites/sandbox.ts';
import { sandboxCommandsSuite } from '../suites/sandbox-commands.ts';
import { sandboxFilesSuite } from '../suites/sandbox-files.ts';
import { GIVEN, onGiven } from './given-server.ts';

if (GIVEN === undefined)
  describe('the agent-server of OpenHands', () => {
    it.skip('did not run: give its address in HCA_TEST_OPENHANDS and its key in HCA_TEST_OPENHANDS_KEY');
  });
else {
  const given = GIVEN;
  for (const suite of [sandboxSuite, sandboxFilesSuite, sandboxCommandsSuite])
    suite('agent-server of OpenHands', (layout) => onGiven(given, layout));
}
