// The part of wink's packages that bench/ uses; they bring no types of their own.
declare module 'wink-bm25-text-search' {
  interface Engine {
    defineConfig(config: { fldWeights: Record<string, number> }): void;
    definePrepTasks(tasks: readonly ((input: never) => unknown)[]): number;
    addDoc(document: Record<string, string>, id: string): void;
    consolidate(): void;
    search(text: string, limit?: number): [id: string, score: number][];
  }
  function bm25(): Engine;
  export = bm25;
}

declare module 'wink-nlp-utils' {
  const nlp: {
    string: Record<'lowerCase' | 'tokenize0', (input: never) => unknown>;
    tokens: Record<'removeWords' | 'stem', (input: never) => unknown>;
  };
  export = nlp;
}
