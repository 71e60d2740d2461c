// An AWS service that speaks JSON, in memory behind the SDK's own client: answers and exceptions as the service would send them.
import { Readable } from 'node:stream';

/** One request: the operation (`PutEvents`) and its parsed input. */
export interface Asked {
  operation: string;
  input: Record<string, unknown>;
}

/** An exception as a service answers it; thrown from `answer`. */
export class Exception extends Error {
  readonly status: number;

  constructor(name: string, status = 400) {
    super(`${name} of a test`);
    this.name = name;
    this.status = status;
  }
}

/** Configuration of a client whose requests `answer` answers; what was asked is noted in `asked`. */
export const memoryAws = (answer: (asked: Asked) => object) => {
  const asked: Asked[] = [];
  const handle = async (request: { headers: Record<string, string>; body?: Uint8Array }) => {
    const operation = (request.headers['x-amz-target'] ?? '').split('.').at(-1) ?? '';
    const one = { operation, input: JSON.parse(new TextDecoder().decode(request.body) || '{}') };
    asked.push(one);
    return { response: responseTo(one, answer) };
  };
  const config = {
    region: 'us-east-1',
    endpoint: 'http://memory',
    maxAttempts: 1,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    requestHandler: { handle } as never,
  };
  return { config, asked };
};

const responseTo = (asked: Asked, answer: (asked: Asked) => object) => {
  try {
    return response(200, answer(asked));
  } catch (caught) {
    if (!(caught instanceof Exception)) throw caught;
    return response(caught.status, { __type: caught.name, message: caught.message });
  }
};

const response = (statusCode: number, body: object) => ({
  statusCode,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Readable.from([Buffer.from(JSON.stringify(body))]),
});
