import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { Sql } from "../../../src/kernel/db/index.ts";
import { type Answer, answerOf } from "./answer.ts";
import { exitOfIf, exitOfSwitch } from "./conditions.ts";
import { type Scope, scopeOf } from "./expressions.ts";
import { isOneByOne, request } from "./http-request.ts";
import { ancestor, type Item } from "./item.ts";
import { query } from "./postgres.ts";
import type { WorkflowNode } from "./workflow.ts";

export interface Surroundings {
  readonly env: Readonly<Record<string, string>>;
  /** What the credential of the API holds. */
  readonly authorization?: string;
  /** What the credential of PostgreSQL leads to. */
  readonly sql?: Sql;
}

/** One run of one node. */
export interface Visit extends Surroundings {
  readonly runIndex: number;
  tell(answer: Answer): void;
}

/** What a node gives, by exit. */
export async function pass(node: WorkflowNode, items: readonly Item[], visit: Visit): Promise<Item[][]> {
  const kind = node.type.replace("n8n-nodes-base.", "");
  if (kind === "if" || kind === "switch") return sorted(node, items, visit);
  if (kind === "noOp") return [[...items]];
  if (kind === "code" && node.parameters.mode === "runOnceForAllItems") return [joined(node, items, visit)];
  const one = async (madeOf: Item): Promise<Item[]> =>
    (await resultsOf(kind, node, madeOf, visit)).map((json) => ({ json, node: node.name, madeOf }));
  // n8n sends the requests of a set together and asks the database one by one.
  if (kind === "httpRequest" && !isOneByOne(node)) return [(await Promise.all(items.map(one))).flat()];
  const results: Item[] = [];
  for (const item of items) results.push(...(await one(item)));
  return [results];
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
      return [itemShape.parse(scope.run(String(node.parameters.jsCode))).json];
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

/** What the code of a Code node returns for each item it makes. */
const itemShape = z.object({ json: z.unknown() });

function joined(node: WorkflowNode, items: readonly Item[], visit: Visit): Item[] {
  const [first] = items;
  if (!first) return [];
  const given = scopeFor(first, visit, items).run(String(node.parameters.jsCode));
  return z
    .array(itemShape)
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
