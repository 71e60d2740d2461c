// Our sandbox server answers as the agent-server of OpenHands does, question by question: against what release 1.44.1 was seen to answer
// (contract-1.44.1.json), which is compared with the server itself where one is given (HCA_TEST_OPENHANDS). Where ours differs, the file says why.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentServer } from '#shared/ports/agent-servers.ts';
import { type Answer, ContractRig, type Question } from './contract-rig.ts';
import { GIVEN } from './given-server.ts';
import { KEY, served } from './served-sandbox.ts';

type Recorded = Question & { answer: Answer; ours?: Answer; why?: string };

const RECORD: Recorded[] = JSON.parse(readFileSync(join(import.meta.dirname, 'contract-1.44.1.json'), 'utf8'));

/** Questions that a server answers otherwise than it should, with both answers. */
const differences = async (server: AgentServer, wanted: (one: Recorded) => Answer) => {
  const rig = await ContractRig.on(server, 'contract');
  await rig.asked({ ask: 'DELETE /api/bash/bash_events' });
  const found: { question: Question; wanted: Answer; said: Answer }[] = [];
  for (const recorded of RECORD) {
    const { answer: _answer, ours: _ours, why: _why, ...question } = recorded;
    const said = await rig.asked(question);
    if (JSON.stringify(said) !== JSON.stringify(wanted(recorded)))
      found.push({ question, wanted: wanted(recorded), said });
  }
  return found;
};

describe('what release 1.44.1 was seen to answer', () => {
  it('is what our server answers, but where it says why not', async () => {
    const { server } = await served(false, { a: '' });
    expect(await differences({ url: server.url, key: KEY }, ({ answer, ours }) => ours ?? answer)).toEqual([]);
    const kept = RECORD.filter(({ ours }) => ours !== undefined);
    expect(kept.filter(({ why = '' }) => why.length < 10)).toEqual([]);
    expect(kept.filter(({ ours, answer }) => JSON.stringify(ours) === JSON.stringify(answer))).toEqual([]);
  });

  it.skipIf(GIVEN === undefined)('is what it answers', async () => {
    if (GIVEN !== undefined) expect(await differences(GIVEN, ({ answer }) => answer)).toEqual([]);
  });
});
