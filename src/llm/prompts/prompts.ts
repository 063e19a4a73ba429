import { problem } from "../../http/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type AdminDeps, type By, inOneChange, noteChange } from "../../workspaces/index.ts";
import { readPrompt } from "./prompt-file.ts";
import type { NewPromptVersion, PromptView } from "./prompt-shape.ts";

/** The active version of each prompt, or the newest if none is active. */
export function listPrompts(sql: Sql, workspaceId: string): Promise<PromptView[]> {
  return sql<PromptView[]>`
    select distinct on (p.name) ${columns(sql)} from llm.prompts p
    where p.workspace_id = ${workspaceId} order by p.name, p.active desc, p.version desc`;
}

/** All versions of a prompt, newest first. */
export async function promptVersions(sql: Sql, workspaceId: string, name: string): Promise<PromptView[]> {
  const versions = await sql<PromptView[]>`
    select ${columns(sql)} from llm.prompts p
    where p.workspace_id = ${workspaceId} and p.name = ${name} order by p.version desc`;
  if (versions.length === 0) throw notFound(name);
  return versions;
}

/** Stores a text as the next version. An invalid one is refused with its error. */
export async function savePrompt(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  { name, body, activate = false }: NewPromptVersion,
  by: By,
): Promise<PromptView> {
  const read = readPrompt(body);
  if (!read.ok) {
    const detail = `The prompt cannot be used: ${read.error}.`;
    throw problem("unprocessable", { detail, errors: [{ pointer: "/body", detail }] });
  }
  const now = clock.now();
  const { task } = read.prompt;
  return inOneChange(sql, async (tx) => {
    const [{ version }] = await tx<[{ version: number }]>`
      select llm.save_prompt(${workspaceId}, ${name}, ${body}, 'operator', ${activate}, ${now},
        p_task_type => ${task?.task_type ?? null}) as version`;
    const meta = { object: "llm_prompt", name, version, created: true, active: activate };
    await noteChange(tx, { workspaceId, now, by, meta });
    return versionOf(tx, workspaceId, name, version);
  });
}

/** Calls use this version from the next one on. */
export async function activatePrompt(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  name: string,
  version: number,
  by: By,
): Promise<PromptView> {
  return inOneChange(sql, async (tx) => {
    const [{ found }] = await tx<[{ found: boolean }]>`
      select llm.activate_prompt(${workspaceId}, ${name}, ${version}) as found`;
    if (!found) throw notFound(name, version);
    const meta = { object: "llm_prompt", name, version, activated: true };
    await noteChange(tx, { workspaceId, now: clock.now(), by, meta });
    return versionOf(tx, workspaceId, name, version);
  });
}

export interface PromptQuality {
  readonly name: string;
  readonly version: number;
  readonly runs: number;
  /** Per cent of the runs. */
  readonly successRate: number | null;
  /** From 0 to 100. */
  readonly avgQuality: number | null;
}

/** Records how a version does, for `llm.prompt_versions`. False if there is no such version. */
export async function notePromptQuality(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  { name, version, runs, successRate, avgQuality }: PromptQuality,
): Promise<boolean> {
  const [{ noted }] = await sql<[{ noted: boolean }]>`
    select llm.note_prompt_quality(${workspaceId}, ${name}, ${version}, ${runs}, ${successRate}::numeric,
      ${avgQuality}::numeric, ${clock.now()}) as noted`;
  return noted;
}

async function versionOf(
  tx: Transaction,
  workspaceId: string,
  name: string,
  version: number,
): Promise<PromptView> {
  const [row] = await tx<PromptView[]>`
    select ${columns(tx)} from llm.prompts p
    where p.workspace_id = ${workspaceId} and p.name = ${name} and p.version = ${version}`;
  if (!row) throw notFound(name, version);
  return row;
}

function notFound(name: string, version?: number) {
  const which = version === undefined ? "" : ` with a version ${version}`;
  return problem("not_found", { detail: `There is no prompt ${name}${which}.` });
}

function columns(sql: Sql | Transaction) {
  return sql`p.name, p.version, p.body, p.source, p.active, p.created_at`;
}
