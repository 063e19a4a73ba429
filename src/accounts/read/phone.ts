import { z } from "zod";
import { type AdminDeps, noteReading } from "../../workspaces/index.ts";
import type { Who } from "../admin/access.ts";
import { requireAccount } from "../admin/require-account.ts";

/** Enough of a phone to tell accounts apart: `+7…4567`. The whole of it is read on record. */
export function maskedPhone<Phone extends string | null>(phone: Phone): Phone | string {
  return phone === null ? phone : `${phone.slice(0, 2)}…${phone.slice(-4)}`;
}

export const phoneSchema = z.object({ account_id: z.uuid(), phone: z.string().nullable() });

/** The account's phone; that it was read goes into the audit trail. */
export async function readPhone(
  { sql, clock }: AdminDeps,
  workspaceId: string,
  id: string,
  who: Who,
  caller: Readonly<Record<string, unknown>> = {},
): Promise<z.output<typeof phoneSchema>> {
  await requireAccount(sql, workspaceId, id, who);
  const meta = { object: "account_phone", account_id: id, ...caller };
  await noteReading(sql, { workspaceId, now: clock.now(), by: who, meta });
  const [row] = await sql<{ phone: string | null }[]>`
    select phone from accounts.accounts where workspace_id = ${workspaceId} and id = ${id}`;
  return { account_id: id, phone: row?.phone ?? null };
}
