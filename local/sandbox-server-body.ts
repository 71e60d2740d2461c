// Bodies of requests to the sandbox server, read within a limit.
import type { IncomingMessage } from 'node:http';
import { invalid, Refused } from './sandbox-server-refusal.ts';

/** The largest file of a workspace that anybody edits fits many times; a pack of files of ours has 16 MB. */
const UPLOAD_BYTES = 256_000_000;

/** What follows a body that is too large is not read. @throws Refused 413 */
export const bodyOf = async (request: IncomingMessage, limit: number): Promise<Buffer> => {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.length;
    if (bytes > limit) throw tooLarge(limit);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

/** Content of the field `file` of a form. @throws Refused */
export const uploadOf = async (request: IncomingMessage, limit: number = UPLOAD_BYTES): Promise<Uint8Array> => {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type)) throw NO_FILE;
  const body = await bodyOf(request, limit);
  const form = await new Response(Uint8Array.from(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined);
  const file = form?.get('file');
  if (!(file instanceof Blob)) throw NO_FILE;
  return new Uint8Array(await file.arrayBuffer());
};

const NO_FILE = invalid(['body', 'file'], 'Field required', 'missing');

const tooLarge = (limit: number): Refused => new Refused(413, `the body is larger than ${limit} bytes`);
