// The bus.
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { VARIABLES } from '#shared/contracts/storage.ts';
import type { Messages } from '#shared/ports/world.ts';
import { eventbridgeMessages } from '../eventbridge-messages.ts';
import { connecting } from './connecting.ts';
import { type Build, variable } from './environment.ts';
import { traceHeader } from './trace.ts';

export const messages: Build<Messages> = (variables) =>
  eventbridgeMessages({
    client: new EventBridgeClient(connecting(variables)),
    bus: variable(variables, VARIABLES.bus),
    trace: traceHeader,
  });
