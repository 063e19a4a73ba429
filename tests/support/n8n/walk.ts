import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { Sql } from "../../../src/kernel/db/index.ts";
import { exitOfIf, exitOfSwitch } from "./conditions.ts";
import { type Scope, scopeOf } from "./expressions.ts";
import { isOneByOne, request } from "./http-request.ts";
import { ancestor, type Item } from "./item.ts";
import { query } from "./postgres.ts";
import type { Workflow, WorkflowNode } from "./workflow.ts";

export interface Surroundings {
  readonly env: Readonly<Record<string, string>>;
  /** What the credential of the API holds. */
  readonly authorization?: string;
  /** What the credential of PostgreSQL leads to. */
  readonly sql?: Sql;
}

export interface Ended {
  /** The nodes that were passed, in their order. */
  readonly way: readonly string[];
  /** What the last one gave. */
  readonly output: unknown;
  /** What the caller of a webhook was told. */
  readonly answer?: Answer;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
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
  const way: string[] = [];
  const runs = new Map<string, number>();
  let output: unknown = input;
  let answer: Answer | undefined;
  const tell = (given: Answer) => {
    answer = given;
  };
  const begin: Item = { json: input, node: start, madeOf: undefined };
  const ahead = following(start, [[begin]]);
  way.push(start);
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    const { node, items } = next;
    const runIndex = runs.get(node.name) ?? 0;
    runs.set(node.name, runIndex + 1);
    way.push(node.name);
    if (way.length > longestWay)
      throw new Error(`the workflow does not end: ${way.slice(0, 40).join(" → ")}`);
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

interface Visit extends Surroundings {
  readonly runIndex: number;
  tell(answer: Answer): void;
}

/** What a node gives, by exit. */
async function pass(node: WorkflowNode, items: readonly Item[], visit: Visit): Promise<Item[][]> {
  const kind = node.type.replace("n8n-nodes-base.", "");
  if (kind === "if" || kind === "switch") return sorted(node, items, visit);
  if (kind === "noOp") return [[...items]];
  if (kind === "code" && node.parameters.mode === "runOnceForAllItems") return [joined(node, items, visit)];
  const results: Item[][] = [];
  const one = async (item: Item) =>
    (await resultsOf(kind, node, item, visit)).map((json) => made(json, item));
  // n8n sends the requests of a set together and asks the database one by one.
  if (kind === "httpRequest" && !isOneByOne(node)) results.push(...(await Promise.all(items.map(one))));
  else for (const item of items) results.push(await one(item));
  return [results.flat()];

  function made(json: unknown, madeOf: Item): Item {
    return { json, node: node.name, madeOf };
  }
}

/** What a node makes of one item; an error that the node may survive is an item too. */
async function resultsOf(kind: string, node: WorkflowNode, item: Item, visit: Visit): Promise<unknown[]> {
  const scope = scopeFor(item, visit);
  try {
    return await work(kind, node, item, scope, visit);
  } catch (error) {
    if (node.onError === "stopWorkflow") throw error;
    return [{ error: { message: error instanceof Error ? error.message : String(error) } }];
  }
}

async function work(
  kind: string,
  node: WorkflowNode,
  item: Item,
  scope: Scope,
  { sql, tell, authorization = "" }: Visit,
): Promise<unknown[]> {
  switch (kind) {
    case "httpRequest":
      return [await request(node, scope, authorization)];
    case "postgres":
      if (!sql) throw new Error("there is no credential for PostgreSQL");
      return query(node, scope, sql);
    case "code":
      return [made.parse(scope.run(String(node.parameters.jsCode))).json];
    case "set":
      return [JSON.parse(String(scope.value(node.parameters.jsonOutput)))];
    case "respondToWebhook": {
      const answer = answerOf(node, scope);
      tell(answer);
      return [answer.body];
    }
    case "wait":
      await delay(50);
      return [item.json];
    default:
      throw new Error(`${node.name}: nodes of the kind ${kind} are not known here`);
  }
}

const answerShape = z.object({
  responseBody: z.string(),
  options: z.object({
    responseCode: z.union([z.string(), z.number()]),
    responseHeaders: z
      .object({ entries: z.array(z.object({ name: z.string(), value: z.string() })) })
      .default({ entries: [] }),
  }),
});

function answerOf(node: WorkflowNode, { value }: Scope): Answer {
  const { responseBody, options } = answerShape.parse(node.parameters);
  return {
    status: Number(value(options.responseCode)),
    headers: Object.fromEntries(
      options.responseHeaders.entries.map(({ name, value: text }) => [name, String(value(text))]),
    ),
    body: JSON.parse(String(value(responseBody))),
  };
}

const made = z.object({ json: z.unknown() });

function joined(node: WorkflowNode, items: readonly Item[], visit: Visit): Item[] {
  const [first] = items;
  if (!first) return [];
  const given = scopeFor(first, visit, items).run(String(node.parameters.jsCode));
  return z
    .array(made)
    .parse(given)
    .map(({ json }) => ({ json, node: node.name, madeOf: first }));
}

function sorted(node: WorkflowNode, items: readonly Item[], visit: Visit): Item[][] {
  const exits: Item[][] = [];
  for (const item of items) {
    const scope = scopeFor(item, visit);
    const exit = node.type.endsWith(".if") ? exitOfIf(node, scope) : exitOfSwitch(node, scope);
    exits[exit] = [...(exits[exit] ?? []), { json: item.json, node: node.name, madeOf: item }];
  }
  return Array.from(exits, (exit) => exit ?? []);
}

function scopeFor(item: Item, { env, runIndex }: Visit, items: readonly Item[] = [item]): Scope {
  return scopeOf({
    $json: item.json,
    $env: env,
    $execution: { id: "execution-1" },
    $runIndex: runIndex,
    $input: { all: () => items },
    $: (name: string) => ({ item: ancestor(item, name) }),
  });
}
