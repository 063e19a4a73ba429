import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";

/** What we read of an export of n8n. */
const exportShape = z.object({
  name: z.string(),
  nodes: z.array(
    z.object({ name: z.string(), type: z.string(), parameters: z.record(z.string(), z.json()) }),
  ),
  connections: z.record(z.string(), z.object({ main: z.array(z.array(z.object({ node: z.string() }))) })),
});
export type Workflow = z.output<typeof exportShape>;
type Node = Workflow["nodes"][number];

export const readWorkflow = (text: string): Workflow => exportShape.parse(JSON.parse(text));

export interface Surroundings {
  readonly env: Readonly<Record<string, string>>;
  /** What the credential of the API holds. */
  readonly authorization: string;
}

export interface Ended {
  /** The nodes that were passed, in their order. */
  readonly way: readonly string[];
  /** What the last one gave. */
  readonly output: unknown;
}

/**
 * Walks through a workflow as n8n does, one item at a time, with the few kinds of nodes that ours have. It proves that the
 * connections lead somewhere, the expressions can be read, and the requests are understood; not what n8n itself does.
 */
export async function runWorkflow(
  { nodes, connections }: Workflow,
  start: string,
  input: unknown,
  { env, authorization }: Surroundings,
): Promise<Ended> {
  const outputs = new Map<string, unknown>([[start, input]]);
  const way = [start];
  let json: unknown = input;
  let exit = 0;
  for (let steps = 0; steps < 200; steps += 1) {
    const next = connections[way.at(-1) ?? ""]?.main[exit]?.[0]?.node;
    if (next === undefined) return { way, output: json };
    const node = nodes.find(({ name }) => name === next);
    if (!node) throw new Error(`there is no node ${next}`);
    way.push(next);
    const value = valueWith({ $json: json, $env: env, $execution: { id: "execution-1" }, $: itemOf });
    exit = 0;
    if (node.type.endsWith(".httpRequest")) json = await ask(node, value, authorization);
    else if (node.type.endsWith(".if")) exit = holds(node, value) ? 0 : 1;
    else if (node.type.endsWith(".set")) json = JSON.parse(String(value(node.parameters.jsonOutput)));
    else if (node.type.endsWith(".respondToWebhook"))
      json = JSON.parse(String(value(node.parameters.responseBody)));
    else if (node.type.endsWith(".wait")) await delay(50);
    outputs.set(next, json);
  }
  throw new Error(`the workflow does not end: ${way.join(" → ")}`);

  function itemOf(name: string) {
    return { item: { json: outputs.get(name) } };
  }
}

type Value = (parameter: unknown) => unknown;

/** A parameter with `=` before it is text with expressions in braces; a single expression keeps its type. */
function valueWith(names: Readonly<Record<string, unknown>>): Value {
  const run = (code: string) =>
    new Function(...Object.keys(names), `return (${code});`)(...Object.values(names));
  return (parameter) => {
    if (typeof parameter !== "string" || !parameter.startsWith("=")) return parameter;
    const single = parameter.match(/^=\{\{((?:(?!\}\}).)*)\}\}$/s)?.[1];
    if (single !== undefined) return run(single);
    return parameter.slice(1).replace(/\{\{(.*?)\}\}/gs, (_all, code: string) => String(run(code)));
  };
}

const requestShape = z.object({
  method: z.string(),
  url: z.string(),
  jsonBody: z.string().optional(),
  authentication: z.string().optional(),
  headerParameters: z
    .object({ parameters: z.array(z.object({ name: z.string(), value: z.string() })) })
    .optional(),
  options: z.object({ response: z.unknown().optional() }).optional(),
});

async function ask(node: Node, value: Value, authorization: string): Promise<unknown> {
  const request = requestShape.parse(node.parameters);
  const given = request.headerParameters?.parameters ?? [];
  const answer = await fetch(String(value(request.url)), {
    method: request.method,
    headers: {
      ...Object.fromEntries(given.map(({ name, value: text }) => [name, String(value(text))])),
      ...(request.authentication && { authorization }),
      ...(request.jsonBody !== undefined && { "content-type": "application/json" }),
    },
    ...(request.jsonBody !== undefined && { body: String(value(request.jsonBody)) }),
  });
  const body: unknown = JSON.parse((await answer.text()) || "null");
  if (request.options?.response) return { statusCode: answer.status, body };
  if (!answer.ok) throw new Error(`${node.name}: ${answer.status} ${JSON.stringify(body)}`);
  return body;
}

const conditionShape = z.object({
  conditions: z.object({
    conditions: z.tuple([
      z.object({
        leftValue: z.string(),
        rightValue: z.union([z.string(), z.number()]),
        operator: z.object({ operation: z.enum(["true", "gt"]) }),
      }),
    ]),
  }),
});

function holds(node: Node, value: Value): boolean {
  const [{ leftValue, rightValue, operator }] = conditionShape.parse(node.parameters).conditions.conditions;
  const left = value(leftValue);
  return operator.operation === "true" ? left === true : Number(left) > Number(rightValue);
}
