import type { Answer } from "./answer.ts";
import type { Item } from "./item.ts";
import { pass, type Surroundings } from "./visit.ts";
import type { Workflow, WorkflowNode } from "./workflow.ts";

export interface Ended {
  /** The nodes that were passed, in their order. */
  readonly way: readonly string[];
  /** What the last one gave. */
  readonly output: unknown;
  /** What the caller of a webhook was told. */
  readonly answer?: Answer;
}

/** The most nodes that a walk may pass: more is a workflow that does not end. */
const longestWay = 500;

/**
 * Walks through a workflow as n8n does, with the few kinds of nodes that ours have: items in sets, branches one after the
 * other. It proves that the connections lead somewhere, the expressions can be read, and the requests and queries are
 * understood; not what n8n itself does.
 */
export async function runWorkflow(
  { nodes, connections }: Workflow,
  start: string,
  input: unknown,
  around: Surroundings,
): Promise<Ended> {
  const way = [start];
  const runs = new Map<string, number>();
  let output: unknown = input;
  let answer: Answer | undefined;
  const ahead = following(start, [[{ json: input, node: start, madeOf: undefined }]]);
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    const { node, items } = next;
    const runIndex = runs.get(node.name) ?? 0;
    runs.set(node.name, runIndex + 1);
    way.push(node.name);
    if (way.length > longestWay)
      throw new Error(`the workflow does not end: ${way.slice(0, 40).join(" → ")}`);
    const tell = (given: Answer) => {
      answer = given;
    };
    const exits = await pass(node, node.executeOnce ? items.slice(0, 1) : items, {
      ...around,
      runIndex,
      tell,
    });
    output = exits.flat()[0]?.json ?? output;
    // The first exit's branch is walked to its end before the second one's.
    ahead.push(...following(node.name, exits));
  }
  return { way, output, ...(answer && { answer }) };

  function following(name: string, exits: readonly (readonly Item[])[]) {
    const steps = exits.flatMap((items, exit) =>
      items.length === 0
        ? []
        : (connections[name]?.main[exit] ?? []).map((target) => ({ node: named(target.node), items })),
    );
    return steps.toReversed();
  }

  function named(name: string): WorkflowNode {
    const node = nodes.find((each) => each.name === name);
    if (!node) throw new Error(`there is no node ${name}`);
    return node;
  }
}
