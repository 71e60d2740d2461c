// Whom an invocation is about: ids and words for logs and traces, never content.
import { About } from '#shared/contracts/aws-events.ts';
import { rootOf } from '#shared/contracts/ids.ts';
import { traceOf } from '#shared/domain/trace-context.ts';

/** Empty when the payload says nothing of the kind. `trace` is one for everything below a root. */
export const aboutOf = (payload: unknown): Record<string, string | number> => {
  const { message, record, execution, tick } = About.safeParse(payload).data ?? {};
  if (message !== undefined) {
    const { id, method, task, to, traceparent } = message;
    return { task, root: rootOf(task), holon: to, method, message_id: id, trace: traceparent.slice(3, 35) };
  }
  const named = record ?? execution ?? '';
  if (named === '') return {};
  const root = rootOf(named);
  return {
    task: named,
    root,
    ...(execution == null ? {} : { execution }),
    ...(tick === undefined ? {} : { tick }),
    trace: traceOf(root, '').slice(3, 35),
  };
};
