// A frame as it is read where people have limits: one that is too large is answered under its own id.
import { checkSize, type DoorPorts, toRpcError } from '#functions/acp/step.ts';
import { toFault } from '#shared/contracts/errors.ts';
import { errorFrame, type ReadFrame, readFrame } from '#shared/protocols/acp/frame.ts';

/** Never throws. */
export const sizedFrame = (text: string, door: DoorPorts): ReadFrame => {
  const read = readFrame(text);
  try {
    checkSize(door, Buffer.byteLength(text));
    return read;
  } catch (error) {
    const id = read.kind === 'request' ? read.frame.id : null;
    return { kind: 'invalid', answer: errorFrame(id, toRpcError(toFault(error))) };
  }
};
