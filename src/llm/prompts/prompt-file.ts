import { parse } from "yaml";
import { z } from "zod";
import { messageOf } from "../../kernel/errors/index.ts";
import { liquidFault } from "../../kernel/liquid/index.ts";
import { engines } from "./engines.ts";
import { isTaskPrompt, readTaskPrompt, type TaskPrompt } from "./task-prompt.ts";

/** A prompt in either of its forms. */
export type Prompt = TextPrompt | TaskPrompt;

/**
 * The usual form: a YAML head that declares the variables of the system part, the system part, and after a line
 * `=== user ===` the user part.
 */
export interface TextPrompt {
  readonly task?: undefined;
  readonly values: Readonly<Record<string, ValueKind>>;
  readonly system: string;
  readonly user?: string;
}

/** No free text, which could be untrusted: listed words, numbers, booleans. */
export type ValueKind = readonly string[] | "number" | "boolean";

const head = z.strictObject({
  about: z.string().optional(),
  values: z
    .record(
      z.string().regex(/^[a-z][a-z0-9_]*$/, "Small Latin letters, digits and _"),
      z.union([z.array(z.string().min(1).max(200)).min(1), z.enum(["number", "boolean"])]),
    )
    .default({}),
});

const frontMatter = /^---\n([\s\S]*?)\n---\n/;
const userLine = /^=== user ===$/m;

export type ReadPrompt =
  | { readonly ok: true; readonly prompt: Prompt }
  | { readonly ok: false; readonly error: string };

export function readPrompt(body: string): ReadPrompt {
  if (isTaskPrompt(body)) return readTaskPrompt(body);
  const found = frontMatter.exec(body);
  const declared = found ? readHead(found[1] ?? "") : { ok: true as const, values: {} };
  if (!declared.ok) return declared;
  const [system = "", user, ...more] = body.slice(found?.[0].length ?? 0).split(userLine);
  if (more.length > 0) return { ok: false, error: "there is more than one line `=== user ===`" };
  if (system.trim() === "") return { ok: false, error: "the system part is empty" };
  for (const [name, part] of [
    ["system", system],
    ["user", user],
  ] as const) {
    const error = part === undefined ? undefined : liquidFault(engines.system, part);
    if (error) return { ok: false, error: `the ${name} part: ${error.message}` };
  }
  return {
    ok: true,
    prompt: {
      values: declared.values,
      system: system.trim(),
      ...(user !== undefined && { user: user.trim() }),
    },
  };
}

function readHead(text: string) {
  try {
    const read = head.safeParse(parse(text) ?? {});
    if (read.success) return { ok: true as const, values: read.data.values };
    const issue = read.error.issues[0];
    return { ok: false as const, error: `the head: ${issue?.path.join(".")} ${issue?.message}` };
  } catch (error) {
    return {
      ok: false as const,
      error: `the head is not YAML: ${messageOf(error)}`,
    };
  }
}
