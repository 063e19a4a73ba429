import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type AdminDeps, type By, inOneChange, noteChange } from "../../workspaces/index.ts";
import { type NoticeKind, noticeKinds } from "../broadcasts/broadcasts.ts";

export const switchesSchema = z
  .object({
    low_balance: z.boolean().describe("Fewer than 100 tokens, daily at 10:00 in Moscow"),
    weekly_digest: z.boolean().describe("What the week brought, Mondays at 9:00"),
    reactivation: z.boolean().describe("To those who were away for 14 days, Wednesdays at 11:00"),
  })
  .meta({ id: "SeoNoticeSwitches" });
export type Switches = z.infer<typeof switchesSchema>;

/** Which automatic notices are sent; a kind that nobody switched is on. */
export async function readSwitches(sql: Sql | Transaction, workspaceId: string): Promise<Switches> {
  const rows = await sql<{ kind: NoticeKind }[]>`
    select kind from seo.notice_switches where workspace_id = ${workspaceId} and not enabled`;
  const off = new Set(rows.map(({ kind }) => kind));
  return switchesSchema.parse(Object.fromEntries(noticeKinds.map((kind) => [kind, !off.has(kind)])));
}

export async function setSwitches(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  changes: { readonly [Kind in NoticeKind]?: boolean | undefined },
  by: By,
): Promise<Switches> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    for (const kind of noticeKinds) {
      const enabled = changes[kind];
      if (enabled === undefined) continue;
      await tx`
        insert into seo.notice_switches (workspace_id, kind, enabled, changed_at) values (${workspaceId}, ${kind}, ${enabled}, ${now})
        on conflict (workspace_id, kind) do update set enabled = excluded.enabled, changed_at = excluded.changed_at`;
    }
    await noteChange(tx, { workspaceId, now, by, meta: { object: "seo_notices", changes } });
    return readSwitches(tx, workspaceId);
  });
}
