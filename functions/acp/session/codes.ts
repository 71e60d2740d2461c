// The JSON-RPC code of a fault as ACP has it: a missing session or file has a code of its own there.
import { FAULTS, type HcaFault } from '#shared/contracts/errors.ts';
import { ACP_ERROR } from '#shared/protocols/acp/wire.ts';

export const acpCode = ({ code }: HcaFault): number =>
  code === 'HcaNotFound' ? ACP_ERROR.not_found : FAULTS[code].rpc;
