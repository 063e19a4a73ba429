import { randomUUID } from "node:crypto";
import type { Answer } from "./answer.ts";
import { headerOf } from "./credentials.ts";
import type { Item } from "./item.ts";
import { webhookParameters } from "./node-kinds.ts";
import { pass, type Surroundings } from "./visit.ts";
import { type Workflow, type WorkflowNode, workflowById } from "./workflow.ts";

export interface Ended {
  /** The visited nodes, in order. */
  readonly way: readonly string[];
  /** What the last one gave first. */
  readonly output: unknown;
  /** All that the last one gave. */
  readonly outputs: readonly unknown[];
  /** What the caller of a webhook was told. */
  readonly answer?: Answer;
}

/** The most nodes that a run may visit: more means a workflow that does not end. */
const longestWay = 500;

/**
 * Runs a workflow like n8n, with the few kinds of nodes that ours have: items in sets, the upper branch before the lower one. It
 * proves that connections, expressions, requests and queries are valid; it does not test n8n itself.
 */
export async function runWorkflow(
  workflow: Workflow,
  start: string,
  input: unknown,
  around: Surroundings,
): Promise<Ended> {
  const trigger = named(workflow, start);
  if (trigger.kind !== "webhook") return walk(workflow, trigger, [input], around);
  const hook = webhookParameters.parse(trigger.parameters);
  if (hook.authentication && !opens(trigger, input, around)) return refused(start);
  const ended = await walk(workflow, trigger, [input], around);
  if (hook.responseMode === "responseNode") return ended;
  const nothing = { status: 500, body: { message: "No item to return was found" } };
  return {
    ...ended,
    answer: {
      headers: {},
      ...(ended.outputs.length > 0 ? { status: 200, body: ended.output } : nothing),
    },
  };
}

async function walk(
  workflow: Workflow,
  trigger: WorkflowNode,
  input: readonly unknown[],
  around: Surroundings,
): Promise<Ended> {
  const executionId = randomUUID();
  const way = [trigger.name];
  let last: readonly Item[] = input.map((json) => ({ json, node: trigger.name, madeOf: undefined }));
  const given = new Map<string, readonly Item[]>([[trigger.name, last]]);
  let answer: Answer | undefined;
  const ahead = following(workflow, trigger.name, [last]);
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    const { node, items } = next;
    way.push(node.name);
    if (way.length > longestWay)
      throw new Error(`the workflow does not end: ${way.slice(0, 40).join(" → ")}`);
    const exits = await pass(node, node.executeOnce ? items.slice(0, 1) : items, {
      ...around,
      executionId,
      given,
      tell: (told) => {
        answer ??= told;
      },
      call: (workflowId, sent) => call(workflowId, sent, around),
    });
    last = exits.flat();
    given.set(node.name, [...(given.get(node.name) ?? []), ...last]);
    ahead.push(...following(workflow, node.name, exits));
  }
  const outputs = last.map(({ json }) => json);
  return { way, output: outputs[0], outputs, ...(answer && { answer }) };
}

async function call(
  workflowId: string,
  items: readonly unknown[],
  around: Surroundings,
): Promise<readonly unknown[]> {
  const workflow = workflowById(workflowId);
  const trigger = workflow.nodes.find(({ kind }) => kind === "executeWorkflowTrigger");
  if (!trigger) throw new Error(`${workflowId} cannot be called by another workflow`);
  return (await walk(workflow, trigger, items, around)).outputs;
}

/** What comes next, the first to be taken at the end: the first exit before the second, the upper node before the lower. */
function following(workflow: Workflow, name: string, exits: readonly (readonly Item[])[]) {
  const steps = exits.flatMap((items, exit) => {
    if (items.length === 0) return [];
    const targets = workflow.connections[name]?.main[exit] ?? [];
    return targets
      .map((target) => ({ node: named(workflow, target.node), items }))
      .toSorted((one, other) => height(one.node) - height(other.node));
  });
  return steps.toReversed();
}

const height = ({ position: [, y] }: WorkflowNode) => y;

function named({ nodes }: Workflow, name: string): WorkflowNode {
  const node = nodes.find((each) => each.name === name);
  if (!node) throw new Error(`there is no node ${name}`);
  return node;
}

/** Whether the caller brought the header of the hook's credential. */
function opens(hook: WorkflowNode, input: unknown, { credentials = {} }: Surroundings): boolean {
  const [[name, value] = []] = Object.entries(headerOf(hook, credentials));
  return value !== undefined && Object(Object(input).headers)[String(name).toLowerCase()] === value;
}

function refused(start: string): Ended {
  const answer = { status: 403, headers: {}, body: "Authorization data is wrong!" };
  return { way: [start], output: undefined, outputs: [], answer };
}
