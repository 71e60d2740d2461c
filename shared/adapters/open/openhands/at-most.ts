// Works through a list with a bounded number of items under way.

/** Results in the order of the items. After a failure no further item is begun. */
export async function atMost<T, R>(count: number, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const state = { next: 0 };
  const worker = async (): Promise<void> => {
    for (let at = state.next++; at < items.length; at = state.next++) {
      for (const item of items.slice(at, at + 1)) results[at] = await work(item);
    }
  };
  const stop = (error: unknown): never => {
    state.next = items.length;
    throw error;
  };
  await Promise.all(Array.from({ length: Math.min(count, items.length) }, () => worker().catch(stop)));
  return results;
}
