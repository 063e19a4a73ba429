import { z } from "zod";
import type { Scope } from "./expressions.ts";
import type { WorkflowNode } from "./workflow.ts";

const shape = z.object({
  method: z.string(),
  url: z.string(),
  jsonBody: z.string().optional(),
  authentication: z.string().optional(),
  headerParameters: z
    .object({ parameters: z.array(z.object({ name: z.string(), value: z.string() })) })
    .optional(),
  jsonHeaders: z.string().optional(),
  options: z
    .object({
      timeout: z.number().default(300_000),
      response: z.unknown().optional(),
      redirect: z.unknown().optional(),
      batching: z.object({ batch: z.object({ batchSize: z.number() }) }).optional(),
    })
    .prefault({}),
});

export const isOneByOne = (node: WorkflowNode): boolean =>
  shape.parse(node.parameters).options.batching !== undefined;

/** The answer as n8n hands it on: a body that is not JSON stands in `data`, one that claims to be and is not, is empty. */
export async function request(node: WorkflowNode, { value }: Scope, authorization: string): Promise<unknown> {
  const { options, ...asked } = shape.parse(node.parameters);
  const given = asked.headerParameters?.parameters ?? [];
  const answer = await fetch(String(value(asked.url)), {
    method: asked.method,
    headers: {
      ...Object.fromEntries(given.map(({ name, value: text }) => [name, String(value(text))])),
      ...(asked.jsonHeaders !== undefined &&
        z.record(z.string(), z.string()).parse(JSON.parse(String(value(asked.jsonHeaders))))),
      ...(asked.authentication && { authorization }),
      ...(asked.jsonBody !== undefined && { "content-type": "application/json" }),
    },
    ...(asked.jsonBody !== undefined && { body: String(value(asked.jsonBody)) }),
    redirect: options.redirect ? "manual" : "follow",
    signal: AbortSignal.timeout(options.timeout),
  });
  const body = bodyOf(answer.headers.get("content-type") ?? "", await answer.text());
  if (options.response)
    return { statusCode: answer.status, headers: Object.fromEntries(answer.headers), ...body };
  if (!answer.ok) throw new Error(`${node.name}: ${answer.status} ${JSON.stringify(body)}`);
  return "body" in body ? body.body : body;
}

function bodyOf(contentType: string, text: string): { body: unknown } | { data: string } {
  if (!/\bjson\b/.test(contentType)) return { data: text };
  try {
    return { body: JSON.parse(text) };
  } catch {
    return { body: {} };
  }
}
