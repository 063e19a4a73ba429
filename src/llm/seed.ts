import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import type { Clock } from "../kernel/clock/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { paths } from "../kernel/paths/index.ts";
import { newPolicy, newPrice } from "./policies/policy-shape.ts";
import { readPrompt } from "./prompts/prompt-file.ts";

/** What a release adds to every workspace. */
export interface SeedFiles {
  readonly policies: readonly z.output<typeof newPolicy>[];
  readonly prices: readonly z.output<typeof newPrice>[];
  readonly prompts: readonly SeedPrompt[];
}

export interface SeedPrompt {
  readonly name: string;
  readonly body: string;
  /** Of a task prompt: its task, and the number of its version. */
  readonly taskType?: string;
  readonly version?: number;
}

const policiesFile = z.strictObject({ policies: z.array(newPolicy), prices: z.array(newPrice) });

/**
 * Reads `db/llm`: policies.yaml, and a file per prompt. `name.md` is the prompt `name`; `folder/name_v7.yaml` is version 7 of
 * the prompt `folder_name`. A file that cannot be used is an error of the release.
 */
export async function readSeedFiles(folder = paths.llm): Promise<SeedFiles> {
  const { policies, prices } = policiesFile.parse(
    parse(await readFile(join(folder, "policies.yaml"), "utf8")),
  );
  const files = (await readdir(join(folder, "prompts"), { recursive: true }))
    .map((file) => file.split(sep).join("/"))
    .filter((file) => /\.(md|yaml)$/.test(file))
    .toSorted();
  const prompts = await Promise.all(
    files.map(async (file) => seedPrompt(file, await readFile(join(folder, "prompts", file), "utf8"))),
  );
  return { policies, prices, prompts };
}

function seedPrompt(file: string, body: string): SeedPrompt {
  const read = readPrompt(body);
  if (!read.ok) throw new Error(`db/llm/prompts/${file}: ${read.error}`);
  const { task } = read.prompt;
  const [, path = "", number] = /^([a-z0-9_/-]+?)(?:_v(\d+))?\.(?:md|yaml)$/.exec(file) ?? [];
  if (path === "" || (task && Number(number) !== task.version))
    throw new Error(`db/llm/prompts/${file}: the name does not fit the version in the file`);
  const name = path.replaceAll("/", "_");
  return task ? { name, body, taskType: task.task_type, version: task.version } : { name, body };
}

export interface Seeds {
  /** Updates a workspace to this release, once per process; keeps what operators have changed. */
  ensure(workspaceId: string): Promise<void>;
}

export function createSeeds(
  { sql, clock }: { sql: Sql; clock: Clock },
  files: () => Promise<SeedFiles>,
): Seeds {
  const done = new Map<string, Promise<void>>();
  let read: Promise<SeedFiles> | undefined;
  return {
    ensure(workspaceId) {
      const known = done.get(workspaceId);
      if (known) return known;
      read ??= files();
      const seeding = read.then((found) => seedWorkspace(sql, workspaceId, found, clock.now()));
      done.set(workspaceId, seeding);
      // A failure is retried by the next caller.
      seeding.catch(() => done.delete(workspaceId));
      return seeding;
    },
  };
}

async function seedWorkspace(
  sql: Sql,
  workspaceId: string,
  { policies, prices, prompts }: SeedFiles,
  now: Date,
): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`
      select llm.seed_policies(${workspaceId}, ${JSON.stringify(policies)}::text::jsonb, ${JSON.stringify(prices)}::text::jsonb, ${now})`;
    for (const { name, body, taskType = null, version = 1 } of prompts)
      await tx`select llm.seed_prompt(${workspaceId}, ${name}, ${body}, ${now}, ${taskType}, ${version})`;
  });
}
