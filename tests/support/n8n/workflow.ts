import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { projectRoot } from "../../../src/kernel/paths/index.ts";

const nodeShape = z.object({
  name: z.string(),
  type: z.string(),
  parameters: z.record(z.string(), z.json()),
  executeOnce: z.boolean().default(false),
  onError: z.enum(["stopWorkflow", "continueRegularOutput"]).default("stopWorkflow"),
});

/** What we read of an export of n8n. */
const exportShape = z.object({
  name: z.string(),
  nodes: z.array(nodeShape),
  connections: z.record(z.string(), z.object({ main: z.array(z.array(z.object({ node: z.string() }))) })),
});

export type WorkflowNode = z.output<typeof nodeShape>;
export type Workflow = z.output<typeof exportShape>;

/** One of the files in `workflows/`. */
export function readWorkflow(name: string): Workflow {
  return exportShape.parse(JSON.parse(readFileSync(join(projectRoot, "workflows", `${name}.json`), "utf8")));
}
