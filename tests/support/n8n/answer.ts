import type { Scope } from "./expressions.ts";
import { respondParameters } from "./node-kinds.ts";
import type { WorkflowNode } from "./workflow.ts";

/** What the caller of a webhook is told. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export function answerOf(node: WorkflowNode, { value }: Scope): Answer {
  const { responseBody, options } = respondParameters.parse(node.parameters);
  const headers = (options.responseHeaders?.entries ?? []).map(({ name, value: text }) => {
    const content = value(text);
    if (content === undefined || content === null) throw new Error(`${node.name}: ${name} has no value`);
    return [name, String(content)];
  });
  const status = Number(value(options.responseCode));
  if (!(status >= 200 && status < 600)) throw new Error(`${node.name}: ${status} is no status`);
  return { status, headers: Object.fromEntries(headers), body: JSON.parse(String(value(responseBody))) };
}
