// Hears every message that the deployed stack says: a rule of its own on the bus with a queue behind it. Taken away again at the end.
import {
  DeleteRuleCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { Message } from '#shared/contracts/messages.ts';

const NAME = 'hca-test-tap';
const RULE = { Name: NAME, EventBusName: 'hca-dev' };

export interface Tap {
  /** What was said since it was last asked. */
  heard(): Promise<Message[]>;
  close(): Promise<void>;
}

export const openTap = async (): Promise<Tap> => {
  const sqs = new SQSClient({});
  const events = new EventBridgeClient({});
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: NAME }));
  const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] });
  const { Attributes } = await sqs.send(asked);
  await events.send(new PutRuleCommand({ ...RULE, EventPattern: JSON.stringify({ source: ['hca'] }) }));
  const target = { Id: NAME, Arn: Attributes!.QueueArn! };
  await events.send(new PutTargetsCommand({ Rule: NAME, EventBusName: RULE.EventBusName, Targets: [target] }));
  return {
    heard: async () => {
      const heard: Message[] = [];
      for (;;) {
        const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
        if (Messages.length === 0) return heard;
        for (const { Body, ReceiptHandle } of Messages) {
          heard.push(Message.parse((JSON.parse(Body!) as { detail: unknown }).detail));
          await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        }
      }
    },
    close: async () => {
      const gone = { Rule: NAME, EventBusName: RULE.EventBusName, Ids: [NAME] };
      await events.send(new RemoveTargetsCommand(gone));
      await events.send(new DeleteRuleCommand(RULE));
      await sqs.send(new DeleteQueueCommand({ QueueUrl }));
    },
  };
};
