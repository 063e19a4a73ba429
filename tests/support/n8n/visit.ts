import { z } from "zod";
import type { Sql } from "../../../src/kernel/db/index.ts";
import { type Answer, answerOf } from "./answer.ts";
import { exitOfIf, exitOfSwitch } from "./conditions.ts";
import type { Credentials } from "./credentials.ts";
import { type Scope, scopeOf } from "./expressions.ts";
import { isOneByOne, request } from "./http-request.ts";
import { ancestor, type Item } from "./item.ts";
import { callParameters, codeParameters } from "./node-kinds.ts";
import { query } from "./postgres.ts";
import type { WorkflowNode } from "./workflow.ts";

export interface Surroundings {
  readonly env: Readonly<Record<string, string>>;
  readonly credentials?: Credentials;
  /** What the credential of PostgreSQL leads to. */
  readonly sql?: Sql;
}

/** One run of one node. */
export interface Visit extends Surroundings {
  readonly executionId: string;
  /** What each node has given so far. */
  readonly given: ReadonlyMap<string, readonly Item[]>;
  tell(answer: Answer): void;
  /** Runs another workflow with these items; what its last node gives. */
  call(workflowId: string, items: readonly unknown[]): Promise<readonly unknown[]>;
}

/** What a node gives, by exit. */
export async function pass(node: WorkflowNode, items: readonly Item[], visit: Visit): Promise<Item[][]> {
  if (node.kind === "if" || node.kind === "switch") return sorted(node, items, visit);
  if (node.kind === "respondToWebhook") return [responded(node, items, visit)];
  if (node.kind === "executeWorkflow") return [await called(node, items, visit)];
  if (node.kind === "code" && codeParameters.parse(node.parameters).mode === "runOnceForAllItems")
    return [joined(node, items, visit)];
  const one = async (madeOf: Item): Promise<Item[]> =>
    (await resultsOf(node, madeOf, visit)).map((json) => ({ json, node: node.name, madeOf }));
  // n8n sends the requests of a set together and asks the database one by one.
  if (node.kind === "httpRequest" && !isOneByOne(node)) return [(await Promise.all(items.map(one))).flat()];
  const results: Item[] = [];
  for (const item of items) results.push(...(await one(item)));
  return [results];
}

/** What a node makes of one item; an error that the node may survive is an item too. */
async function resultsOf(node: WorkflowNode, item: Item, visit: Visit): Promise<unknown[]> {
  try {
    return await work(node, scopeFor(item, visit), visit);
  } catch (error) {
    if (node.onError === "stopWorkflow") throw error;
    return [{ error: { message: error instanceof Error ? error.message : String(error) } }];
  }
}

async function work(node: WorkflowNode, scope: Scope, { sql, credentials = {} }: Visit): Promise<unknown[]> {
  switch (node.kind) {
    case "httpRequest": {
      const answer = await request(node, scope, credentials);
      // A list becomes as many items.
      return Array.isArray(answer) ? answer : [answer];
    }
    case "postgres":
      if (!sql) throw new Error("there is no credential for PostgreSQL");
      return query(node, scope, sql);
    case "code":
      return [itemShape.parse(scope.run(codeParameters.parse(node.parameters).jsCode)).json];
    default:
      throw new Error(`${node.name}: nodes of the kind ${node.kind} do not work on items`);
  }
}

const jsonObject = z.record(z.string(), z.unknown());

/** What the code of a Code node returns for each item it makes; n8n takes nothing but objects, and hands them on as JSON. */
const itemShape = z
  .strictObject({ json: jsonObject })
  .transform(({ json }) => ({ json: JSON.parse(JSON.stringify(json)) }));

function joined(node: WorkflowNode, items: readonly Item[], visit: Visit): Item[] {
  const [first] = items;
  if (!first) return [];
  const given = scopeFor(first, visit, items).run(codeParameters.parse(node.parameters).jsCode);
  return z
    .array(itemShape)
    .parse(given)
    .map(({ json }) => ({ json, node: node.name, madeOf: first }));
}

/** Tells the caller by the first item, and hands all of them on as they came. */
function responded(node: WorkflowNode, items: readonly Item[], visit: Visit): Item[] {
  const [first] = items;
  if (first) visit.tell(answerOf(node, scopeFor(first, visit)));
  return items.map((item) => ({ json: item.json, node: node.name, madeOf: item }));
}

/** The items of another workflow do not know which of ours they were made of. */
async function called(node: WorkflowNode, items: readonly Item[], visit: Visit): Promise<Item[]> {
  const { workflowId } = callParameters.parse(node.parameters);
  const results = await visit.call(
    workflowId.value,
    items.map(({ json }) => json),
  );
  return results.map((json) => ({ json, node: node.name, madeOf: undefined }));
}

function sorted(node: WorkflowNode, items: readonly Item[], visit: Visit): Item[][] {
  const exits: Item[][] = [];
  for (const item of items) {
    const scope = scopeFor(item, visit);
    const exit = node.kind === "if" ? exitOfIf(node, scope) : exitOfSwitch(node, scope);
    exits[exit] = [...(exits[exit] ?? []), { json: item.json, node: node.name, madeOf: item }];
  }
  return Array.from(exits, (exit) => exit ?? []);
}

function scopeFor(item: Item, visit: Visit, items: readonly Item[] = [item]): Scope {
  return scopeOf({
    $json: item.json,
    $env: visit.env,
    $execution: { id: visit.executionId },
    $input: { all: () => items },
    $: (name: string) => nodeInScope(name, item, visit),
  });
}

function nodeInScope(name: string, item: Item, { given }: Visit) {
  const items = () => {
    const known = given.get(name);
    if (!known) throw new Error(`${name} has not run`);
    return known;
  };
  return {
    isExecuted: given.has(name),
    all: items,
    first: () => items()[0],
    get item() {
      return ancestor(item, name);
    },
  };
}
