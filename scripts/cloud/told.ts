// What is told about a deployment: where it is, how to begin, and where the names of a domain of one's own have to point.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import type { Auth } from '#infra/environments.ts';
import type { Deployed } from './account.ts';

const Examples = z.array(z.object({ folder: z.string(), goal: z.string() })).min(1);

/** The first that `npm start` shows: a goal, and a project of this checkout for it. */
const example = (): { goal: string; workspace: string } => {
  const file = new URL('../../examples/workspaces.yaml', import.meta.url);
  const [first] = Examples.parse(parse(readFileSync(file, 'utf8')));
  return { goal: first?.goal ?? '', workspace: `examples/workspaces/${first?.folder}` };
};

/** Lines for a person; every command can be copied into a shell. `endpoint`: where AWS is, when it is not AWS that is there. */
export const beginning = ({ outputs, region }: Deployed, auth: Auth, endpoint: string): string[] => {
  const { RpcUrl = '', AcpUrl = '', Dashboard = '' } = outputs;
  const url = reached(RpcUrl.replace(/\/rpc$/, ''), endpoint);
  const socket = reached(AcpUrl, endpoint.replace(/^http/, 'ws'));
  const { goal, workspace } = example();
  const proof = auth.kind === 'iam' ? '--aws' : `--issuer ${auth.issuer}`;
  return [
    `Endpoint   ${url}`,
    `WebSocket  ${socket}`,
    `Dashboard  https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${Dashboard}`,
    ...dnsLines(outputs),
    '',
    'Begin with:',
    `  npx hca login --endpoint ${word(url)} --socket ${word(socket)} ${proof}`,
    `  npx hca run "${goal}" --workspace ${workspace} --endpoint ${word(url)}`,
  ];
};

const dnsLines = ({ RpcUrl, AcpUrl, RpcDns, RpcDnsZone, AcpDns, AcpDnsZone }: Deployed['outputs']): string[] => {
  const named = [
    { url: RpcUrl, target: RpcDns, zone: RpcDnsZone },
    { url: AcpUrl, target: AcpDns, zone: AcpDnsZone },
  ];
  return named.flatMap(({ url, target, zone }) =>
    url === undefined || target === undefined
      ? []
      : [`DNS        ${new URL(url).hostname} is to be an alias of ${target} (hosted zone ${zone}), or a CNAME`],
  );
};

/** An API of an emulator is reached below the emulator's endpoint, by its id and stage; an account's at its own address. */
export const reached = (address: string, endpoint: string): string => {
  if (endpoint === '') return address;
  const { hostname, pathname } = new URL(address);
  const stage = pathname === '/' ? '/$default' : pathname;
  return `${endpoint.replace(/\/+$/, '')}/_aws/execute-api/${hostname.split('.')[0]}${stage}`;
};

/** A word of a shell. */
const word = (text: string): string => (/^[\w.:/-]+$/.test(text) ? text : `'${text}'`);
