// What is told about a deployment: where it is, how to begin, and where the names of a domain of one's own have to point.
import type { Auth } from '#infra/environments.ts';
import type { Deployed } from './account.ts';

/** A project of this checkout on which the first task can be tried. */
const EXAMPLE = 'examples/workspaces/harbour-board';

/** Lines for a person; every command can be copied into a shell. `endpoint`: where AWS is, when it is not AWS that is there. */
export const beginning = ({ outputs, region }: Deployed, auth: Auth, endpoint: string): string[] => {
  const { RpcUrl = '', AcpUrl = '', Dashboard = '' } = outputs;
  const url = reached(RpcUrl.replace(/\/rpc$/, ''), endpoint);
  const socket = reached(AcpUrl, endpoint.replace(/^http/, 'ws'));
  const proof = auth.kind === 'iam' ? '--aws' : `--issuer ${auth.issuer}`;
  return [
    `Endpoint   ${url}`,
    `WebSocket  ${socket}`,
    `Dashboard  https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${Dashboard}`,
    ...dnsLines(outputs),
    '',
    'Begin with:',
    `  npx hca login --endpoint ${word(url)} --socket ${word(socket)} ${proof}`,
    `  npx hca run "make lint and tests pass" --workspace ${EXAMPLE} --endpoint ${word(url)}`,
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
