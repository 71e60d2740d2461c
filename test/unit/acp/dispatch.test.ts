// The dispatcher: every method of the register answers, bad input names field and remedy, scopes are kept.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dispatch } from '#functions/acp/step.ts';
import { METHODS } from '#shared/contracts/acp.ts';
import { OWNER, type TestDoor, testDoor } from '#test/support/door.ts';

let at: TestDoor;
beforeAll(async () => {
  at = await testDoor();
});
afterAll(() => at.close());

const error = async (method: string, params: unknown, scopes = OWNER.scopes) => {
  const answer = await dispatch({ jsonrpc: '2.0', id: 7, method, params }, { ...OWNER, scopes }, at.door);
  if (!('error' in answer)) throw new Error(`${method} was answered: ${JSON.stringify(answer)}`);
  expect(answer.id).toBe(7);
  return answer.error;
};

describe('the dispatcher', () => {
  it('advertises every method with JSON schemas of params and result', async () => {
    const { methods } = await at.ask('_hca/methods', {});
    expect(methods.map((line) => line.method).sort()).toEqual(Object.keys(METHODS).sort());
    for (const line of methods) expect(line.params, line.method).toMatchObject({ type: 'object' });
    const submit = methods.find((line) => line.method === '_hca/task/submit');
    expect(submit?.params.required).toEqual(expect.arrayContaining(['goal', 'workspace']));
  });

  it('says that there is no such method', async () => {
    expect(await error('_hca/nothing', {})).toMatchObject({ code: -32601, data: { field: 'method' } });
    expect(await error('toString', {})).toMatchObject({ code: -32601 });
  });

  it.each([
    ['_hca/task/submit', { goal: 'x' }, 'workspace'],
    ['_hca/task/submit', { goal: '   ', workspace: '/w' }, 'goal'],
    ['_hca/task/submit', { goal: 'x'.repeat(16_001), workspace: '/w' }, 'goal'],
    ['_hca/task/submit', { goal: 'x\u0007y', workspace: '/w' }, 'goal'],
    ['_hca/task/submit', { goal: 'take the turn', workspace: 'relative' }, 'workspace'],
    ['_hca/task/submit', { goal: 'take the turn', workspace: '/missing' }, 'workspace'],
    ['_hca/task/submit', { goal: 'take the turn', workspace: '/home/of' }, 'workspace'],
    ['_hca/task/submit', { goal: 'take the turn', workspace: '/' }, 'workspace'],
    ['_hca/task/submit', { goal: 'take the turn', workspace: '/w', retries: 0 }, 'retries'],
    ['_hca/task/submit', { goal: 'take the turn', workspace: '/w', id: 'no ulid' }, 'id'],
    ['_hca/task/submit', { goal: 'take the turn', workspace: '/w', budget: 'calls=0' }, 'budget.calls'],
    ['_hca/task/submit', { goal: 'take the turn', workspace: '/w', budget: 'calls=-3' }, 'budget.calls'],
    ['_hca/task/submit', { goal: 'take the turn', workspace: '/w', budget: 'time=soon' }, 'budget.time'],
    ['_hca/task/submit', { goal: 'take the turn', workspace: '/w', budget: 'money=3' }, 'budget'],
    ['_hca/task/submit', { goal: 'take the turn', workspace: '/w', criteria: [{ shell: 'x' }] }, 'criteria[0]'],
    [
      '_hca/task/plan',
      { goal: 'take the turn', workspace: '/w', criteria: ['ok', { file: '../x' }] },
      'criteria[1].file',
    ],
    ['_hca/task/get', { task: 'x' }, 'task'],
    ['_hca/task/get', { task: '01ZZZZZZZZZZZZZZZZZZZZZZZZ' }, 'task'],
    ['_hca/task/list', { limit: 0 }, 'limit'],
    ['_hca/artifact/get', { id: 'no/such/artifact' }, 'id'],
    ['_hca/holon/card', { holon: 'nobody' }, 'holon'],
    ['_hca/holon/card', { holon: 'No Body' }, 'holon'],
    ['_hca/dead-letter/redrive', { id: 'no-such' }, 'id'],
  ])('%s, case %#: names field and remedy', async (method, params, field) => {
    const { data, message } = await error(method, params);
    expect(data?.field).toBe(field);
    expect(message).not.toBe('');
    expect(data?.remedy ?? '').not.toBe('');
  });

  it('keeps to the scopes of who asks', async () => {
    expect(await error('_hca/down', {}, ['read', 'submit'])).toMatchObject({ code: -32003, data: { field: 'scope' } });
    expect(at.stopped()).toBe(false);
  });

  it('shows no tenant what belongs to another', async () => {
    const made = await at.ask('_hca/task/submit', { goal: 'take the turn', workspace: '/w' });
    await at.house.idle();
    const other = { ...OWNER, tenant: 'other' };
    await expect(at.ask('_hca/task/get', { task: made.task }, other)).rejects.toMatchObject({
      data: { code: 'HcaNotFound' },
    });
    await expect(at.ask('_hca/task/get', { task: 'last' }, other)).rejects.toMatchObject({
      data: { code: 'HcaNotFound' },
    });
    await expect(at.ask('_hca/task/cancel', { task: made.task }, other)).rejects.toMatchObject({
      data: { code: 'HcaNotFound' },
    });
  });
});
