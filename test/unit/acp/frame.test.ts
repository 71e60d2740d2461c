// The frame codec: whatever text comes in, a typed frame or an error to answer comes out, never an exception.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_FRAME, RPC, readFrame } from '#shared/protocols/acp/frame.ts';

const errorOf = (text: string) => {
  const read = readFrame(text);
  if (read.kind !== 'invalid' || !('error' in read.answer)) throw new Error(`not invalid: ${read.kind}`);
  return read.answer.error;
};

describe('reading a frame', () => {
  it('tells requests, notifications and answers apart', () => {
    expect(readFrame('{"jsonrpc":"2.0","id":1,"method":"_hca/ping"}').kind).toBe('request');
    expect(readFrame('{"jsonrpc":"2.0","id":"a","method":"_hca/ping","params":{}}').kind).toBe('request');
    expect(readFrame('{"jsonrpc":"2.0","method":"$/cancel_request","params":{}}').kind).toBe('notification');
    expect(readFrame('{"jsonrpc":"2.0","id":1,"result":{}}').kind).toBe('answer');
    expect(readFrame('{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"x"}}').kind).toBe('answer');
  });

  it('answers what is no frame with the code of JSON-RPC', () => {
    expect(errorOf('{').code).toBe(RPC.not_json);
    expect(errorOf('[]').code).toBe(RPC.bad_frame);
    expect(errorOf('[{"jsonrpc":"2.0","id":1,"method":"_hca/ping"}]').message).toContain('batches');
    expect(errorOf('{"jsonrpc":"1.0","id":1,"method":"x"}').code).toBe(RPC.bad_frame);
    expect(errorOf('{"jsonrpc":"2.0","id":{},"method":"x"}').code).toBe(RPC.bad_frame);
    expect(errorOf('null').code).toBe(RPC.bad_frame);
  });

  it('refuses what is too long or too deep before anything looks at it', () => {
    expect(errorOf(`"${'x'.repeat(MAX_FRAME)}"`).message).toContain(`${MAX_FRAME}`);
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
    expect(errorOf(deep).message).toContain('nested');
  });

  it('never throws, whatever the text', () => {
    void fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((value) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: value })),
        ),
        (text) => {
          expect(['request', 'notification', 'answer', 'invalid']).toContain(readFrame(text).kind);
        },
      ),
      { numRuns: 500 },
    );
  });
});
