import type { z } from "zod";
import { problem } from "../../http/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { By } from "../../workspaces/index.ts";
import { type RuleRow, ruleRow } from "../work/load-bot.ts";
import { withoutRule, withRule } from "./edit-rule-file.ts";
import { type ApplyDeps, type ApplyOptions, applyFile, currentFile, type Release } from "./releases.ts";
import { type RuleEntry, ruleEntry } from "./rule-file-schema.ts";

/** In the order of matching. */
export async function listRules(sql: Sql, workspaceId: string): Promise<RuleRow[]> {
  const rows = await sql`
    select * from shopbot.bot_rules where workspace_id = ${workspaceId} and enabled
    order by priority, created_at desc, rule_id`;
  return rows.map((row) => ruleRow.parse(row));
}

/** Newest first. */
export async function ruleVersions(sql: Sql, workspaceId: string, ruleId: string): Promise<RuleRow[]> {
  const rows = await sql`
    select * from shopbot.bot_rules where workspace_id = ${workspaceId} and rule_id = ${ruleId} order by version desc`;
  if (rows.length === 0) throw noSuchRule(ruleId);
  return rows.map((row) => ruleRow.parse(row));
}

/** The rule in force in the form of the file; undefined if there is none. */
export async function readRule(
  sql: Sql,
  workspaceId: string,
  ruleId: string,
): Promise<z.input<typeof ruleEntry> | undefined> {
  const [row] = await sql`
    select * from shopbot.bot_rules where workspace_id = ${workspaceId} and rule_id = ${ruleId} and enabled`;
  return row && entryOf(ruleRow.parse(row));
}

/** Saves a rule as a new version within its file and activates it. */
export async function saveRule(
  deps: ApplyDeps,
  workspaceId: string,
  entry: z.input<typeof ruleEntry>,
  by: By,
  options: ApplyOptions = {},
): Promise<Release> {
  const text = withRule(await fileToEdit(deps.sql, workspaceId), written(ruleEntry.parse(entry)));
  return applyFile(deps, workspaceId, text, by, options);
}

export async function activateRule(
  deps: ApplyDeps,
  workspaceId: string,
  ruleId: string,
  version: number,
  by: By,
  options: ApplyOptions = {},
): Promise<Release> {
  const versions = await ruleVersions(deps.sql, workspaceId, ruleId);
  const row = versions.find((each) => each.version === version);
  if (!row) throw problem("not_found", { detail: `The rule ${ruleId} has no version ${version}.` });
  return saveRule(deps, workspaceId, entryOf(row), by, options);
}

/** Deactivates a rule; its versions stay. */
export async function removeRule(
  deps: ApplyDeps,
  workspaceId: string,
  ruleId: string,
  by: By,
  options: ApplyOptions = {},
): Promise<Release> {
  const text = withoutRule(await fileToEdit(deps.sql, workspaceId), ruleId);
  if (text === undefined) throw noSuchRule(ruleId);
  return applyFile(deps, workspaceId, text, by, options);
}

async function fileToEdit(sql: Sql, workspaceId: string): Promise<string> {
  const file = await currentFile(sql, workspaceId);
  if (file !== undefined) return file;
  const [bot] = await sql<{ title: string }[]>`
    select settings ->> 'title' as title from shopbot.bots where workspace_id = ${workspaceId}`;
  return `bot:\n  title: ${JSON.stringify(bot?.title ?? "")}\nrules: []\n`;
}

function entryOf(row: RuleRow): z.input<typeof ruleEntry> {
  return {
    id: row.rule_id,
    intent: row.intent,
    keywords: row.pattern.keywords,
    priority: row.priority,
    max_turns: row.max_turns,
    answer: row.response_template,
    interrupts: row.interrupts,
    escalate: row.action === "escalate",
    buttons: row.buttons,
    media: row.media,
    ...(row.state !== null && { state: row.state }),
    ...(row.event !== null && { on: row.event }),
    ...(row.accepts !== null && { accepts: row.accepts }),
    ...(row.save_as !== null && { save_as: row.save_as }),
    ...(row.refusal_template !== null && { refuse: row.refusal_template }),
    ...(row.next_state !== null && { next_state: row.next_state }),
  };
}

/** Leaves out default values. */
function written(entry: RuleEntry): Partial<RuleEntry> & { id: string } {
  const bare = ruleEntry.parse({ id: entry.id, answer: "-" });
  const told = Object.entries(entry).filter(
    ([field, value]) =>
      value !== undefined &&
      JSON.stringify(value) !== JSON.stringify(new Map(Object.entries(bare)).get(field)),
  );
  return { ...Object.fromEntries(told), id: entry.id };
}

function noSuchRule(ruleId: string) {
  return problem("not_found", { detail: `There is no rule ${ruleId}.` });
}
