import { z } from "zod";
import type { Scope } from "./expressions.ts";
import type { WorkflowNode } from "./workflow.ts";

/** What the caller of a webhook is told. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const shape = z.object({
  responseBody: z.string(),
  options: z.object({
    responseCode: z.union([z.string(), z.number()]),
    responseHeaders: z
      .object({ entries: z.array(z.object({ name: z.string(), value: z.string() })) })
      .default({ entries: [] }),
  }),
});

export function answerOf(node: WorkflowNode, { value }: Scope): Answer {
  const { responseBody, options } = shape.parse(node.parameters);
  return {
    status: Number(value(options.responseCode)),
    headers: Object.fromEntries(
      options.responseHeaders.entries.map(({ name, value: text }) => [name, String(value(text))]),
    ),
    body: JSON.parse(String(value(responseBody))),
  };
}
