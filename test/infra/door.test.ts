// The door of a deployment: what an issuer changes of it, and that without one nothing answers without a signature (requirements section 7).
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { VARIABLES } from '#shared/contracts/storage.ts';
import { propertiesOf, type Templates, templatesOf } from '#test/support/synth.ts';

const ISSUER = 'https://login.example.org';
const signed = templatesOf('dev');
const tokens = templatesOf('dev', { auth: { kind: 'jwt', issuer: ISSUER, audience: 'hca' } });

/** Routes of both APIs and how each lets in. */
const routesOf = ({ app }: Templates): string[] =>
  Object.values(propertiesOf(app, 'AWS::ApiGatewayV2::Route'))
    .map(({ RouteKey, AuthorizationType }) => `${String(RouteKey)} ${String(AuthorizationType ?? 'NONE')}`)
    .sort();

const variablesOf = ({ app }: Templates, name: string): Record<string, unknown> => {
  const functions = Object.values(propertiesOf(app, 'AWS::Lambda::Function'));
  const found = functions.find(({ FunctionName }) => FunctionName === `hca-dev-${name}`);
  return z.looseObject({ Variables: z.record(z.string(), z.unknown()) }).parse(found?.Environment).Variables;
};

/** The log of requests may be read by whoever may read logs. */
const LOGGED = ['requestId', 'requestTime', 'identity.sourceIp', 'routeKey', 'status', 'responseLength'];
const WHY = ['responseLatency', 'integrationErrorMessage', 'error.message'];

const AFTER_CONNECT = ['$default NONE', '$disconnect NONE'];

describe('the door', () => {
  test('with signed requests lets nothing in without a signature', () => {
    expect(routesOf(signed)).toEqual(['$connect AWS_IAM', ...AFTER_CONNECT, 'POST /rpc AWS_IAM']);
    expect(variablesOf(signed, 'acp')).not.toHaveProperty(VARIABLES.issuer);
  });

  test('with an issuer says who gives tokens to whoever has none', () => {
    expect(routesOf(tokens)).toEqual([
      '$connect CUSTOM',
      ...AFTER_CONNECT,
      'GET /.well-known/oauth-protected-resource NONE',
      'POST /rpc CUSTOM',
    ]);
  });

  test('logs what each request came to and why, and no word of who asked or what', () => {
    const stages = Object.values(propertiesOf(tokens.app, 'AWS::ApiGatewayV2::Stage'));
    const { Format } = z
      .looseObject({ Format: z.string() })
      .parse(stages.find(({ StageName }) => StageName === '$default')?.AccessLogSettings);
    const told = Object.values(z.record(z.string(), z.string()).parse(JSON.parse(Format)));
    expect(told.sort()).toEqual([...LOGGED, ...WHY].map((name) => `$context.${name}`).sort());
  });

  test('takes no more requests than its quota, by HTTP and by WebSocket', () => {
    const limits = Object.values(propertiesOf(signed.app, 'AWS::ApiGatewayV2::Stage'));
    const limit = { DefaultRouteSettings: { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 } };
    expect(limits).toMatchObject([limit, limit]);
  });

  test('with a domain is called by its two names, and says where each has to point', () => {
    const domain = { name: 'hca.example.org', certificate: 'arn:aws:acm:eu-central-1:1:certificate/one' };
    const { app } = templatesOf('dev', { domain });
    const outputs = app.findOutputs('*');
    const names = Object.values(propertiesOf(app, 'AWS::ApiGatewayV2::DomainName')).map(({ DomainName }) => DomainName);
    expect(names).toEqual(['hca.example.org', 'ws.hca.example.org']);
    expect(outputs).toMatchObject({
      RpcUrl: { Value: 'https://hca.example.org/rpc' },
      AcpUrl: { Value: 'wss://ws.hca.example.org' },
    });
    const ids = Object.keys(app.findResources('AWS::ApiGatewayV2::DomainName'));
    for (const [index, door] of ['Rpc', 'Acp'].entries())
      expect([outputs[`${door}Dns`], outputs[`${door}DnsZone`]]).toEqual(
        ['RegionalDomainName', 'RegionalHostedZoneId'].map((name) => ({ Value: { 'Fn::GetAtt': [ids[index], name] } })),
      );
    expect(signed.app.findOutputs('*')).not.toHaveProperty('RpcDns');
  });

  test('with an issuer checks fresh tokens by the same rules as its authorizer', () => {
    const rules = { [VARIABLES.issuer]: ISSUER, [VARIABLES.audience]: 'hca' };
    for (const name of ['acp', 'authorize']) expect(variablesOf(tokens, name), name).toMatchObject(rules);
  });
});
