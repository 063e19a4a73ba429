import { z } from "zod";
import type { Sql } from "../../../src/kernel/db/index.ts";
import type { Scope } from "./expressions.ts";
import { postgresParameters } from "./node-kinds.ts";
import type { WorkflowNode } from "./workflow.ts";

const values = z.array(
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.undefined().transform(() => null)]),
);

/** The rows of one query. n8n puts values into the text of the query by itself, quoted; the casts make both ways one. */
export async function query(node: WorkflowNode, { value }: Scope, sql: Sql): Promise<unknown[]> {
  if (!node.credentials.postgres) throw new Error(`${node.name}: no credential is chosen`);
  const { query: text, options } = postgresParameters.parse(node.parameters);
  const rows = await sql.unsafe(
    text,
    options.queryReplacement === undefined ? [] : values.parse(value(options.queryReplacement)),
  );
  // What one node hands to the next is JSON.
  return JSON.parse(JSON.stringify(rows));
}
