// What one person may ask of a host that serves many: how often, how much, how large.
import * as z from 'zod';

/** `frames` a second, `burst` of them at once; `prompts` (goals, plans, retries) a minute; `sessions` kept and `tasks` open; `bytes` of a frame. */
export const Limits = z.object({
  frames: z.coerce.number().int().min(1).default(50),
  burst: z.coerce.number().int().min(1).default(500),
  prompts: z.coerce.number().int().min(1).default(60),
  sessions: z.coerce.number().int().min(1).default(500),
  tasks: z.coerce.number().int().min(1).default(50),
  bytes: z.coerce
    .number()
    .int()
    .min(1024)
    .default(4 * 1024 * 1024),
});
export type Limits = z.infer<typeof Limits>;

/** What is counted by time. */
export type Paced = 'frame' | 'prompt';
