// The peer of the loop bench: the same 13 steps (plan, work, review three times; revise twice; accept, compound) in LangGraph.js.
import { Annotation, type BaseCheckpointSaver, END, START, StateGraph } from '@langchain/langgraph';

const State = Annotation.Root({
  iteration: Annotation<number>(),
  word: Annotation<string>(),
  steps: Annotation<string[]>({ reducer: (before, more) => [...before, ...more], default: () => [] }),
});

/** Reviews fail twice and pass at the third iteration. */
const PASSES_AT = 3;

/** A compiled graph with a checkpointer; every node is a no-op but for its own record. */
export const langgraphLoop = (checkpointer: BaseCheckpointSaver) => {
  const step = (name: string) => async () => ({ steps: [name] });
  return new StateGraph(State)
    .addNode('plan', step('plan'))
    .addNode('work', step('work'))
    .addNode('review', async ({ iteration }) => ({
      steps: ['review'],
      word: iteration >= PASSES_AT ? 'accept' : 'revise',
    }))
    .addNode('revise', async ({ iteration }) => ({ steps: ['revise'], iteration: iteration + 1 }))
    .addNode('accept', step('accept'))
    .addNode('compound', step('compound'))
    .addEdge(START, 'plan')
    .addEdge('plan', 'work')
    .addEdge('work', 'review')
    .addConditionalEdges('review', ({ word }) => word, { accept: 'accept', revise: 'revise' })
    .addEdge('revise', 'plan')
    .addEdge('accept', 'compound')
    .addEdge('compound', END)
    .compile({ checkpointer });
};
