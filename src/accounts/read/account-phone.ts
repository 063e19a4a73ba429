import { z } from "zod";
import { type AdminDeps, noteReading } from "../../workspaces/index.ts";
import { requireAccount, type Who } from "../admin/access.ts";

/** `+7…4567`: enough to tell accounts apart. Reading the full number is recorded. */
export function maskedPhone<Phone extends string | null>(phone: Phone): Phone | string {
  return phone === null ? phone : `${phone.slice(0, 2)}…${phone.slice(-4)}`;
}

export const phoneSchema = z.object({ account_id: z.uuid(), phone: z.string().nullable() });

/** Reads the full number and records that in the audit trail. */
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
