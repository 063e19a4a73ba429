import { z } from "zod";
import type { Sql } from "../../../src/kernel/db/index.ts";
import type { Scope } from "./expressions.ts";
import type { WorkflowNode } from "./workflow.ts";

/** Only what is safe: the query is a constant, every value is a parameter, each item is a query of its own. */
const shape = z.object({
  operation: z.literal("executeQuery"),
  query: z
    .string()
    .regex(/^select\b/, "n8n would make an item of an empty answer")
    .regex(/^(?:(?!\{\{).)*$/s, "values go into a query as its parameters"),
  options: z.object({
    queryBatching: z.literal("independently"),
    queryReplacement: z.string().startsWith("={{").optional(),
  }),
});

const values = z.array(z.union([z.string(), z.number(), z.null()]));

/** The rows of one query. n8n puts values into the text of the query by itself, quoted; the casts make both ways one. */
export async function query(node: WorkflowNode, { value }: Scope, sql: Sql): Promise<unknown[]> {
  const { query: text, options } = shape.parse(node.parameters);
  return sql.unsafe(
    text,
    options.queryReplacement === undefined ? [] : values.parse(value(options.queryReplacement)),
  );
}
