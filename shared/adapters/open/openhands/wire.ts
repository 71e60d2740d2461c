// What is read of an agent-server's answers: the few fields we use, checked; everything else it says is let pass (contract 1.44).
import * as z from 'zod';

/** `POST /api/bash/start_bash_command`. */
export const StartedCommand = z.object({ id: z.string().min(1) });

/** One piece of output; `exit_code` is null until the last one. A timeout is -1. */
export const OutputPiece = z.object({
  kind: z.string(),
  order: z.number().int().default(0),
  exit_code: z.number().int().nullish(),
  stdout: z.string().nullish(),
  stderr: z.string().nullish(),
});
export type OutputPiece = z.infer<typeof OutputPiece>;

/** `GET /api/bash/bash_events/search`. */
export const OutputPage = z.object({ items: z.array(OutputPiece), next_page_id: z.string().nullish() });
export type OutputPage = z.infer<typeof OutputPage>;

/** `GET /api/file/home`. */
export const HomeAnswer = z.object({ home: z.string().startsWith('/') });

/** `GET /api/file/search_subdirs`. */
export const FolderPage = z.object({
  items: z.array(z.object({ name: z.string(), path: z.string() })),
  next_page_id: z.string().nullish(),
});
export type FolderPage = z.infer<typeof FolderPage>;

/** `GET /server_info`. `hca` is said by our own server only: what confines the commands of one session there. */
export const ServerAbout = z.object({
  title: z.string().default('agent-server'),
  version: z.string().default('unknown'),
  hca: z
    .object({
      kind: z.enum(['bubblewrap', 'process-group']),
      network: z.boolean(),
      memory_limited: z.boolean(),
      sessions_apart: z.boolean(),
    })
    .optional(),
});
export type ServerAbout = z.infer<typeof ServerAbout>;

/** FastAPI's form of an error. */
export const ErrorAnswer = z.object({ detail: z.unknown() });
