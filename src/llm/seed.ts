import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
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
  readonly prompts: readonly { readonly name: string; readonly body: string }[];
}

const policiesFile = z.strictObject({ policies: z.array(newPolicy), prices: z.array(newPrice) });

/** Reads `db/llm`: policies.yaml, and a file per prompt. A file that cannot be used is a error of the release. */
export async function readSeedFiles(folder = paths.llm): Promise<SeedFiles> {
  const { policies, prices } = policiesFile.parse(
    parse(await readFile(join(folder, "policies.yaml"), "utf8")),
  );
  const names = (await readdir(join(folder, "prompts"))).filter((name) => name.endsWith(".md")).toSorted();
  const prompts = await Promise.all(
    names.map(async (file) => {
      const body = await readFile(join(folder, "prompts", file), "utf8");
      const read = readPrompt(body);
      if (!read.ok) throw new Error(`db/llm/prompts/${file}: ${read.error}`);
      return { name: file.slice(0, -".md".length), body };
    }),
  );
  return { policies, prices, prompts };
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
    for (const { name, body } of prompts)
      await tx`select llm.seed_prompt(${workspaceId}, ${name}, ${body}, ${now})`;
  });
}
