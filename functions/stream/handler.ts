// STREAM as a Lambda function: the journal's stream and the minute wake it, open connections get what they are owed.
import { deploymentOf } from '#shared/adapters/aws/ports/deployment.ts';
import { doorPorts } from '#shared/adapters/aws/ports/door.ts';
import { forTenant } from '#shared/adapters/aws/ports/tenant.ts';
import { wrapped } from '../wrap.ts';
import { gatewayOf, stream } from './step.ts';

export const handler = wrapped('stream', () => {
  const ports = doorPorts(process.env);
  const gateway = gatewayOf(ports, {
    deployment: deploymentOf(process.env),
    forTenant,
    preview: async (tenant, asked) => (await import('../plan/preview.ts')).preview(tenant, asked, ports),
  });
  return (event) => stream(event, gateway);
});
