// The client of the dead-letter queue.
import { SQSClient } from '@aws-sdk/client-sqs';
import { VARIABLES } from '#shared/contracts/storage.ts';
import { type DeadLetters, sqsDeadLetters } from '../sqs-dead-letters.ts';
import { connecting } from './connecting.ts';
import { type Build, variable } from './environment.ts';
import { messages } from './messages.ts';
import { tenantNow } from './tenant.ts';

export const deadLetters: Build<DeadLetters> = (variables) =>
  sqsDeadLetters({
    client: new SQSClient(connecting(variables)),
    queue: variable(variables, VARIABLES.letters),
    messages: messages(variables),
    tenant: tenantNow,
  });
