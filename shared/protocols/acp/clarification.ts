// Asking a person to word a goal anew: the form of `elicitation/create`, and what comes back (ACP v1, form mode).
import type * as acp from '@agentclientprotocol/sdk';
import * as z from 'zod';

/** A default longer than this makes no form easier. */
const MOST_DEFAULT = 2000;
/** A reason with many examples is cut: the frame holds the whole question. */
const MOST_MESSAGE = 8000;

/** The question about a goal, within a session. */
export const clarification = (
  sessionId: string,
  { message, goal }: { message: string; goal: string },
): Record<string, unknown> => {
  const request = {
    mode: 'form',
    sessionId,
    message: message.slice(0, MOST_MESSAGE),
    requestedSchema: {
      type: 'object',
      properties: {
        goal: {
          type: 'string',
          title: 'Goal',
          description: 'What should be true afterwards',
          minLength: 1,
          maxLength: 16_000,
          ...(goal.length <= MOST_DEFAULT ? { default: goal } : {}),
        },
        command: {
          type: 'string',
          title: 'Command that must pass',
          description: 'Optional: a command that fails now and passes when the goal is reached',
          maxLength: 2000,
        },
      },
      required: ['goal'],
    },
  } satisfies acp.CreateElicitationRequest;
  return request;
};

/** A form that was filled in; an empty command is none. Everything else is a no. */
export const CLARIFIED = z.object({
  action: z.literal('accept'),
  content: z.object({
    goal: z.string().trim().min(1).max(16_000),
    command: z
      .string()
      .trim()
      .max(2000)
      .optional()
      .transform((text) => text || undefined),
  }),
});
