// The northbound door as a Lambda function: HTTP requests and WebSocket events at the same door (shared/contracts/access.ts has its row).
import { deploymentOf } from '#shared/adapters/aws/ports/deployment.ts';
import { doorPorts } from '#shared/adapters/aws/ports/door.ts';
import { rulesOf } from '#shared/adapters/aws/ports/issuer.ts';
import { letters } from '#shared/adapters/aws/ports/letters.ts';
import { forTenant } from '#shared/adapters/aws/ports/tenant.ts';
import { throttle } from '#shared/adapters/aws/ports/throttle.ts';
import type { Identity } from '#shared/contracts/identity.ts';
import { wrapped } from '../wrap.ts';
import { answerGateway, gatewayOf } from './step.ts';

type Verify = (token: string) => Promise<Identity>;

/** The issuer's keys are kept for the process, and how to check is loaded with the first fresh token: few connections live so long. */
const verifying = (rules: ReturnType<typeof rulesOf>): Verify => {
  let loaded: Promise<Verify> | undefined;
  return async (token) => {
    loaded ??= import('../authorize/step.ts').then(({ tokenVerifier, readRules }) => tokenVerifier(readRules(rules)));
    return (await loaded)(token);
  };
};

export const handler = wrapped('acp', () => {
  const ports = { ...doorPorts(process.env), letters: letters(process.env), throttle: throttle(process.env) };
  const deployment = deploymentOf(process.env);
  const gateway = gatewayOf(ports, {
    deployment,
    forTenant,
    ...(deployment.issuer === null ? {} : { verify: verifying(rulesOf(process.env)) }),
    preview: async (tenant, asked) => (await import('../plan/preview.ts')).preview(tenant, asked, ports),
  });
  return (event) => answerGateway(event, gateway);
});
