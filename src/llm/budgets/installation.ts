import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type AdminDeps, type By, inOneChange, noteChange } from "../../workspaces/index.ts";
import { budgetCap, period, unit } from "./budget-shape.ts";

/** The key of a cap over the whole installation. Only the server's operator may set it: no route changes it. */
export const installationKey = z.object({ period, unit });
export type InstallationKey = z.output<typeof installationKey>;

export const installationCapSchema = z
  .object({
    period,
    unit,
    cap: budgetCap.shape.cap,
    used: z.number().describe("Spent and held by all workspaces in this period"),
    ends_at: z.date(),
  })
  .meta({ id: "LlmInstallationCap" });
export type InstallationCap = z.infer<typeof installationCapSchema>;

/** The caps over all workspaces, with their current usage. */
export function listInstallationCaps(sql: Sql | Transaction, now: Date): Promise<InstallationCap[]> {
  return sql<InstallationCap[]>`
    select period, unit, cap::float8, used::float8, ends_at from llm.installation_caps_at(${now})
    order by period, unit`;
}

/** Every workspace's audit trail records the change, because it applies to all, but without the amount. */
export interface ForAll {
  readonly workspaces: readonly { readonly id: string }[];
  readonly by: By;
}

export async function setInstallationCap(
  deps: AdminDeps,
  key: InstallationKey,
  cap: number,
  all: ForAll,
): Promise<void> {
  const now = deps.clock.now();
  await inOneChange(deps.sql, async (tx) => {
    await tx`
      insert into llm.installation_caps (period, unit, cap, updated_at, updated_by)
      values (${key.period}, ${key.unit}, ${cap}, ${now}, ${all.by.operator})
      on conflict (period, unit) do update
        set cap = excluded.cap, updated_at = excluded.updated_at, updated_by = excluded.updated_by`;
    await tellAll(tx, now, all, { ...key, set: true });
  });
}

/** Returns false if there was none. */
export async function removeInstallationCap(
  deps: AdminDeps,
  key: InstallationKey,
  all: ForAll,
): Promise<boolean> {
  return inOneChange(deps.sql, async (tx) => {
    const gone = await tx`
      delete from llm.installation_caps where period = ${key.period} and unit = ${key.unit} returning unit`;
    if (gone.length > 0) await tellAll(tx, deps.clock.now(), all, { ...key, deleted: true });
    return gone.length > 0;
  });
}

async function tellAll(
  tx: Transaction,
  now: Date,
  { workspaces, by }: ForAll,
  what: Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const { id: workspaceId } of workspaces)
    await noteChange(tx, { workspaceId, now, by, meta: { object: "llm_installation_cap", ...what } });
}
