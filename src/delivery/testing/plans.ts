import postgres from "postgres";
import { z } from "zod";

/** A node of a plan as auto_explain reports it, with actual figures. */
interface PlanNode {
  readonly type: string;
  readonly relation: string | undefined;
  /** Rows that it returned and rows that it read and discarded, over all its loops. */
  readonly read: number;
  readonly index: string | undefined;
}

const rawNode = z.object({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  "Index Name": z.string().optional(),
  "Actual Rows": z.number().optional(),
  "Actual Loops": z.number().optional(),
  "Rows Removed by Filter": z.number().optional(),
  Plans: z.array(z.unknown()).optional(),
});

export interface PlanWatcher {
  /** Runs the statements and returns the plans of everything inside them, functions included. */
  watch(statements: (sql: postgres.Sql) => Promise<unknown>): Promise<PlanNode[]>;
  close(): Promise<void>;
}

/** One connection that stays open, as a server's does, so that cached plans are seen too. */
export async function watchPlans(url: string): Promise<PlanWatcher> {
  let nodes: PlanNode[] = [];
  const sql = postgres(url, {
    max: 1,
    onnotice: ({ message = "" }) => {
      const start = message.indexOf("{");
      if (message.includes("plan:") && start >= 0) collect(JSON.parse(message.slice(start)).Plan, nodes);
    },
  });
  await sql.unsafe(`
    load 'auto_explain';
    set auto_explain.log_min_duration = 0;
    set auto_explain.log_nested_statements = on;
    set auto_explain.log_analyze = on;
    set auto_explain.log_timing = off;
    set auto_explain.log_format = json;
    set auto_explain.log_level = notice;`);
  return {
    async watch(statements) {
      nodes = [];
      await statements(sql);
      return nodes;
    },
    close: () => sql.end(),
  };
}

function collect(raw: unknown, into: PlanNode[]): void {
  const node = rawNode.parse(raw);
  const loops = node["Actual Loops"] ?? 0;
  into.push({
    type: node["Node Type"],
    relation: node["Relation Name"],
    index: node["Index Name"],
    read: ((node["Actual Rows"] ?? 0) + (node["Rows Removed by Filter"] ?? 0)) * loops,
  });
  for (const child of node.Plans ?? []) collect(child, into);
}
