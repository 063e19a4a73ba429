import { parse } from "yaml";
import { z } from "zod";
import { messageOf } from "../../kernel/errors/index.ts";
import { liquidFault } from "../../kernel/liquid/index.ts";
import { withoutComments } from "./delimiters.ts";
import { engines } from "./engines.ts";

/**
 * A prompt for a task, as SEO Master's document writes it: YAML with `meta`, `system`, `user` and `variables`; `<< >>` are
 * values, `<% %>` blocks, `<# #>` comments. Variables stand in the user part only, so no text of a user reaches the system
 * part, which also stays the same from call to call and is cached by providers.
 */
export interface TaskPrompt {
  readonly task: TaskMeta;
  readonly variables: readonly Variable[];
  readonly system: string;
  readonly user: string;
}

/** What the prompt was written for. A policy decides the model, its tokens and its temperature, whatever stands here. */
export type TaskMeta = z.infer<typeof meta>;
export type Variable = z.infer<typeof variable>;

const meta = z.strictObject({
  task_type: z.string().regex(/^[a-z][a-z0-9_]{0,49}$/, "small Latin letters, digits and _"),
  version: z
    .union([z.int().min(1), z.string().regex(/^v?[1-9]\d{0,8}$/, "must be a number such as 7 or v7")])
    .transform((given) => Number(String(given).replace("v", ""))),
  model_tier: z.string().optional(),
  max_tokens: z.int().min(1).optional(),
  temperature: z.number().min(0).max(2).optional(),
});

const variable = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]*$/, "small Latin letters, digits and _"),
  source: z.string().optional(),
  required: z.boolean().default(false),
  default: z.unknown().optional(),
});

const file = z.strictObject({
  meta,
  system: z.string().trim().min(1),
  user: z.string().trim().min(1),
  variables: z.array(variable).default([]),
});

/** Comments and empty lines may stand before `meta`. */
export function isTaskPrompt(body: string): boolean {
  return (
    body
      .split("\n")
      .find((line) => line.trim() !== "" && !line.startsWith("#"))
      ?.startsWith("meta:") === true
  );
}

export type ReadTaskPrompt =
  | { readonly ok: true; readonly prompt: TaskPrompt }
  | { readonly ok: false; readonly error: string };

export function readTaskPrompt(body: string): ReadTaskPrompt {
  let given: unknown;
  try {
    given = parse(body);
  } catch (error) {
    return { ok: false, error: `it is not YAML: ${messageOf(error)}` };
  }
  const read = file.safeParse(given);
  if (!read.success) {
    const issue = read.error.issues[0];
    return { ok: false, error: `${issue?.path.join(".") || "the file"}: ${issue?.message}` };
  }
  const { meta: task, variables } = read.data;
  const [system, user] = [withoutComments(read.data.system), withoutComments(read.data.user)];
  if (system === undefined || user === undefined)
    return {
      ok: false,
      error: `the ${system === undefined ? "system" : "user"} part: a comment is not closed`,
    };
  const error = faultOf(system, user, variables);
  return error === undefined
    ? { ok: true, prompt: { task, variables, system: system.trim(), user: user.trim() } }
    : { ok: false, error };
}

function faultOf(system: string, user: string, variables: readonly Variable[]): string | undefined {
  if (system.trim() === "") return "the system part is empty";
  if (/<<|<%/.test(system)) return "the system part: it takes no variables; they stand in the user part";
  const fault = liquidFault(engines.task, user);
  if (fault) return `the user part: ${fault.message}`;
  const names = variables.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `the variable ${twice} is declared twice`;
  const used: readonly string[] = engines.task.globalVariablesSync(user);
  const unknown = used.find((name) => !names.includes(name));
  return unknown === undefined ? undefined : `the user part: the variable ${unknown} is not declared`;
}
