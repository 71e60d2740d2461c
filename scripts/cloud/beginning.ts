// What a person does first with a deployment, out of its outputs.
import type { Deployed } from './account.ts';

/** Endpoint, dashboard, and the first commands; `auth` as in the environment. */
export const beginning = ({ outputs, region }: Deployed, auth: 'iam' | 'jwt'): string[] => {
  const { RpcUrl = '', AcpUrl = '', Dashboard = '', DeadLetters = '' } = outputs;
  const endpoint = RpcUrl.replace(/\/rpc$/, '');
  const console_ = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}`;
  return [
    `Endpoint      ${endpoint}`,
    `WebSocket     ${AcpUrl}`,
    `Dashboard     ${console_}#dashboards/dashboard/${Dashboard}`,
    `Dead letters  ${DeadLetters}`,
    '',
    'Begin with:',
    `  npx hca login --endpoint ${endpoint} --socket ${AcpUrl}${auth === 'iam' ? ' --aws' : ''}`,
    `  npx hca run "make lint and tests pass" --workspace . --endpoint ${endpoint}`,
  ];
};
