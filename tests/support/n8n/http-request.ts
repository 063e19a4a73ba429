import { z } from "zod";
import type { Credentials } from "./credentials.ts";
import { headerOf } from "./credentials.ts";
import type { Scope } from "./expressions.ts";
import { httpParameters } from "./node-kinds.ts";
import type { WorkflowNode } from "./workflow.ts";

export const isOneByOne = (node: WorkflowNode): boolean =>
  httpParameters.parse(node.parameters).options.batching !== undefined;

const stringHeaders = z.record(z.string(), z.string());

/** The answer as n8n hands it on. It was told to expect JSON: a body that is something else is an error of the node. */
export async function request(
  node: WorkflowNode,
  { value }: Scope,
  credentials: Credentials,
): Promise<unknown> {
  const { options, ...asked } = httpParameters.parse(node.parameters);
  const { fullResponse = false, neverError = false } = options.response.response;
  const answer = await fetch(String(value(asked.url)), {
    method: asked.method,
    headers: {
      ...(asked.jsonHeaders && stringHeaders.parse(JSON.parse(String(value(asked.jsonHeaders))))),
      ...(asked.authentication && headerOf(node, credentials)),
      ...(asked.jsonBody && { "content-type": "application/json" }),
    },
    ...(asked.jsonBody && { body: JSON.stringify(JSON.parse(String(value(asked.jsonBody)))) }),
    redirect: options.redirect ? "manual" : "follow",
    signal: AbortSignal.timeout(options.timeout),
  });
  const text = await answer.text();
  if (!answer.ok && !neverError) throw new Error(`${node.name}: ${answer.status} ${text}`);
  const body = jsonOf(node, text);
  return fullResponse
    ? { body, headers: Object.fromEntries(answer.headers), statusCode: answer.status }
    : body;
}

function jsonOf(node: WorkflowNode, text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${node.name}: Response body is not valid JSON`);
  }
}
