// Many calls to the cloud, a few at a time, so that a long list neither takes as long as it has items nor floods the service.

/** The results in the order of the items; the first failure ends it. */
export const atOnce = async <T, R>(width: number, items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  const waiting = items.entries();
  const lane = async (): Promise<void> => {
    for (const [at, item] of waiting) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane));
  return results;
};
