import { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import {
  type AdminDeps,
  type By,
  inOneChange,
  noteChange,
  type Page,
  type PageQuery,
  pageLimit,
  pageOf,
  placeAfter,
} from "../../workspaces/index.ts";
import { botProblem, fileRefused } from "../admin/bot-problems.ts";
import { botWarning, botWarnings } from "../admin/bot-warnings.ts";
import type { CompileReply } from "../work/compile-reply.ts";
import { botOfFile, rowOfEntry } from "./bot-of-file.ts";
import { playAll } from "./play-dialogues.ts";
import { readFile } from "./read-rule-file.ts";
import type { RuleFile } from "./rule-file-schema.ts";

export const releaseSchema = z.object({
  release: z.int(),
  rules: z.record(z.string(), z.int()).describe("The version of each rule in force"),
  based_on: z.int().nullable().describe("The earlier release that was restored"),
  operator: z.string(),
  reason: z.string().nullable(),
  created_at: z.date(),
});
export type Release = z.output<typeof releaseSchema>;

export const appliedSchema = releaseSchema.extend({
  warnings: z.array(botWarning).describe("What the bot's owner should fix"),
});

export interface ApplyDeps extends AdminDeps {
  readonly compile: CompileReply;
}

export interface ApplyOptions {
  /** Even if example dialogues fail. */
  readonly force?: boolean | undefined;
  readonly basedOn?: number | undefined;
  readonly dryRun?: boolean | undefined;
}

/** Applies a file: parses it, runs its examples, then activates all of it. */
export async function applyFile(
  { sql, clock, compile }: ApplyDeps,
  workspaceId: string,
  text: string,
  by: By,
  { force = false, basedOn, dryRun = false }: ApplyOptions = {},
): Promise<z.output<typeof appliedSchema>> {
  const read = readFile(text);
  if (!read.ok) throw fileRefused(read.errors);
  if (!force) refuseBrokenExamples(read.file, compile);
  const now = clock.now();
  const rules = JSON.stringify(read.file.rules.map(rowOfEntry));
  return inOneChange(
    sql,
    async (tx) => {
      const known = await tx`select from shopbot.bots where workspace_id = ${workspaceId}`;
      if (known.length === 0) throw botProblem("bot_missing");
      const [row] = await tx<[{ release: number }]>`
        select shopbot.apply_release(${workspaceId}, ${text}, ${JSON.stringify(read.file.bot)}::text::jsonb,
          ${rules}::text::jsonb, ${by.operator}, ${by.reason ?? null}, ${basedOn ?? null}, ${now}) as release`;
      const meta = {
        object: "bot_rules",
        release: row.release,
        ...(basedOn !== undefined && { based_on: basedOn }),
      };
      await noteChange(tx, { workspaceId, now, by, meta });
      const release = await readRelease(tx, workspaceId, row.release);
      return { ...release, warnings: await botWarnings(tx, workspaceId) };
    },
    { dryRun },
  );
}

/** Restores an earlier release; default: the one before the last. */
export async function rollBack(
  deps: ApplyDeps,
  workspaceId: string,
  release: number | undefined,
  by: By,
): Promise<z.output<typeof appliedSchema>> {
  const target = release ?? (await previousRelease(deps.sql, workspaceId));
  const text = await releaseFile(deps.sql, workspaceId, target);
  // An earlier release may be restored even if its examples fail today.
  return applyFile(deps, workspaceId, text, by, { force: true, basedOn: target });
}

/** The file in force; undefined if there is none. */
export async function currentFile(sql: Sql, workspaceId: string): Promise<string | undefined> {
  const [row] = await sql<{ file: string }[]>`
    select file from shopbot.bot_releases where workspace_id = ${workspaceId} order by release desc limit 1`;
  return row?.file;
}

export async function releaseFile(sql: Sql, workspaceId: string, release: number): Promise<string> {
  const [row] = await sql<{ file: string }[]>`
    select file from shopbot.bot_releases where workspace_id = ${workspaceId} and release = ${release}`;
  if (!row) throw problem("not_found", { detail: `There is no release ${release}.` });
  return row.file;
}

export async function releasePage(
  sql: Sql,
  workspaceId: string,
  { limit = pageLimit.usual, after }: PageQuery,
): Promise<Page<Release>> {
  const from = placeAfter(after, z.tuple([z.int32()]));
  const rows = await sql<Release[]>`
    select release, rules, based_on, workspaces.actor_name(operator) as operator, reason, created_at from shopbot.bot_releases
    where workspace_id = ${workspaceId} ${from ? sql`and release < ${from[0]}` : sql``}
    order by release desc limit ${limit + 1}`;
  return pageOf(rows, limit, ({ release }) => [release]);
}

async function readRelease(tx: Transaction, workspaceId: string, release: number): Promise<Release> {
  const [row] = await tx<[Release]>`
    select release, rules, based_on, workspaces.actor_name(operator) as operator, reason, created_at from shopbot.bot_releases
    where workspace_id = ${workspaceId} and release = ${release}`;
  return row;
}

/** The release before the last change; after a rollback, the one before its target. */
async function previousRelease(sql: Sql, workspaceId: string): Promise<number> {
  const [row] = await sql<{ previous: number | null }[]>`
    select coalesce(based_on, release) - 1 as previous from shopbot.bot_releases
    where workspace_id = ${workspaceId} order by release desc limit 1`;
  if (!row?.previous) throw problem("conflict", { detail: "There is no earlier release to go back to." });
  return row.previous;
}

function refuseBrokenExamples(file: RuleFile, compile: CompileReply): void {
  const { faults } = playAll(file.dialogues, botOfFile(file, { operatorsChatId: "operators" }), compile);
  if (faults.length === 0) return;
  const errors = faults.map(({ dialogue, line, message }) => {
    const index = file.dialogues.findIndex(({ name }) => name === dialogue);
    return {
      pointer: `/dialogues/${index}/lines/${line - 1}`,
      detail: `${dialogue}, line ${line}: ${message}`,
    };
  });
  throw botProblem("bot_rules_refused", { detail: errors[0]?.detail ?? "An example failed.", errors });
}
