// What the requirement tests are given and do again and again.
import { TestClient, type Wire } from './acp.ts';
import type { Sent } from './acp-schema.ts';
import type { TestDoor } from './door.ts';

/** A house that was not started yet, and a way to it. */
export interface Setting {
  at: TestDoor;
  connect(): Promise<Wire>;
}

export interface Requirement {
  ids: string[];
  level: 'M' | 'C' | 'A';
  run(setting: Setting): Promise<void>;
}

export const where = { cwd: '/w', mcpServers: [] };
export const isUpdate = ({ method }: Sent) => method === 'session/update';

export const hello = async ({ connect }: Setting, capabilities: object = {}): Promise<TestClient> => {
  const client = new TestClient(await connect());
  await client.hello(capabilities);
  return client;
};

export const started = async (setting: Setting): Promise<{ client: TestClient; sessionId: string }> => {
  setting.at.house.start();
  const client = await hello(setting);
  return { client, sessionId: await client.newSession() };
};

/** Whatever still comes has come when a later question was answered. */
export const barrier = (client: TestClient): Promise<Sent> => client.ask('session/list', {});

export const initialize = async (setting: Setting, protocolVersion: number): Promise<Sent> =>
  new TestClient(await setting.connect()).ask('initialize', { protocolVersion });

export const cancelled = async (
  setting: Setting,
  stop: (client: TestClient, sessionId: string, prompt: number) => Promise<unknown>,
) => {
  const client = await hello(setting);
  const sessionId = await client.newSession();
  const prompt = await client.beginPrompt(sessionId, 'take the turn');
  await client.wire.until((frame) => isUpdate(frame) && frame.params?.update.sessionUpdate === 'plan');
  await stop(client, sessionId, prompt);
  setting.at.house.start();
  const answer = await client.answerTo(prompt);
  return { client, sessionId, answer };
};
