// The northbound door as a Lambda function: HTTP requests and WebSocket events at the same door (shared/contracts/access.ts has its row).
import { deploymentOf } from '#shared/adapters/aws/ports/deployment.ts';
import { doorPorts } from '#shared/adapters/aws/ports/door.ts';
import { letters } from '#shared/adapters/aws/ports/letters.ts';
import { forTenant } from '#shared/adapters/aws/ports/tenant.ts';
import { wrapped } from '../wrap.ts';
import { answerGateway, gatewayOf } from './step.ts';

const ports = { ...doorPorts(process.env), letters: letters(process.env) };
const deployment = deploymentOf(process.env);
const gateway = gatewayOf(ports, {
  deployment,
  forTenant,
  preview: async (tenant, asked) => (await import('../plan/preview.ts')).preview(tenant, asked, ports),
});

export const handler = wrapped('acp', (event) => answerGateway(event, gateway));
