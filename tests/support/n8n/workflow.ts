import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { projectRoot } from "../../../src/kernel/paths/index.ts";
import { nodeKinds } from "./node-kinds.ts";

const credential = z.strictObject({ id: z.string(), name: z.string() });

/** A node as n8n exports it. What it does not know, n8n drops or refuses at import, so here it is refused. */
const nodeShape = z
  .strictObject({
    parameters: z.record(z.string(), z.json()),
    id: z.string().min(1),
    name: z.string().min(1),
    type: z.string(),
    typeVersion: z.number(),
    position: z.tuple([z.number(), z.number()]),
    webhookId: z.string().optional(),
    credentials: z
      .strictObject({ httpHeaderAuth: credential.optional(), postgres: credential.optional() })
      .default({}),
    executeOnce: z.boolean().default(false),
    onError: z.enum(["stopWorkflow", "continueRegularOutput"]).default("stopWorkflow"),
    notes: z.string().optional(),
  })
  .transform((node, context) => {
    const kind = nodeKinds.find(({ type, version }) => type === node.type && version === node.typeVersion);
    if (!kind) {
      context.addIssue(`${node.name}: ${node.type} ${node.typeVersion} is not known here`);
      return z.NEVER;
    }
    const parameters = kind.parameters.safeParse(node.parameters);
    if (!parameters.success) {
      context.addIssue(`${node.name}: ${z.prettifyError(parameters.error)}`);
      return z.NEVER;
    }
    return { ...node, kind: kind.kind };
  });

const target = z.strictObject({ node: z.string(), type: z.literal("main"), index: z.literal(0) });

const exportShape = z.strictObject({
  // `n8n import:workflow` writes it as the key of its table: 36 characters.
  id: z.string().min(1).max(36),
  name: z.string(),
  nodes: z.array(nodeShape),
  connections: z.record(z.string(), z.strictObject({ main: z.array(z.array(target)) })),
  active: z.literal(false),
  settings: z.strictObject({
    executionOrder: z.literal("v1"),
    saveDataSuccessExecution: z.literal("none"),
    saveDataErrorExecution: z.literal("none").optional(),
    saveManualExecutions: z.literal(false),
    saveExecutionProgress: z.literal(false),
  }),
  pinData: z.strictObject({}),
  tags: z.tuple([]),
});

export type WorkflowNode = z.output<typeof nodeShape>;
export type Workflow = z.output<typeof exportShape>;

const folder = join(projectRoot, "workflows");

/** The names of the files in `workflows/`. */
export const workflowNames: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => name.replace(/\.json$/, ""));

/** One of the files in `workflows/`. */
export function readWorkflow(name: string): Workflow {
  return exportShape.parse(JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")));
}

export function workflowById(id: string): Workflow {
  const found = workflowNames.map(readWorkflow).find((workflow) => workflow.id === id);
  if (!found) throw new Error(`there is no workflow ${id}`);
  return found;
}
