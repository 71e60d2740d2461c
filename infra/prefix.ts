// How everything of an environment is called: two of them in one account do not meet. In a file of its own, because commands that only look need no CDK.

/** First part of every name of an environment. */
export const prefixOf = (environment: string): string => `hca-${environment}`;
