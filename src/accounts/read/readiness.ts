import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { type Who } from "../admin/access.ts";
import { readObject } from "../objects/objects.ts";
import { inBoth, reasonCodes } from "../texts/index.ts";

export const reasonSchema = z.object({
  code: z.enum(reasonCodes),
  ru: z.string(),
  en: z.string(),
  account_id: z.uuid().optional(),
  chat_id: z.uuid().optional(),
});
export type Reason = z.output<typeof reasonSchema>;

export const readinessSchema = z.object({
  object_id: z.uuid(),
  title: z.string(),
  ready: z.boolean().describe("At least one account can publish it in at least one chat"),
  usable: z.int().describe("Pairs of account and chat that can be used"),
  hindered: z.int().describe("Pairs that cannot"),
  reasons: z.array(reasonSchema).describe("The first ten"),
});
export type Readiness = z.output<typeof readinessSchema>;

interface ReadinessRow extends Omit<Readiness, "reasons"> {
  readonly reasons: readonly {
    readonly code: Reason["code"];
    readonly account_id?: string;
    readonly chat_id?: string;
    readonly account?: string;
    readonly chat?: string;
  }[];
}

const mostReasons = 10;

/** Why an object is or is not published by accounts. */
export async function objectReadiness(
  sql: Sql,
  workspaceId: string,
  objectId: string,
  who: Who,
): Promise<Readiness> {
  await readObject(sql, workspaceId, objectId, who);
  const [row] = await sql<ReadinessRow[]>`
    select object_id, title, ready, usable, hindered, reasons
    from accounts.readiness(${workspaceId}, ${objectId}, null, ${mostReasons})`;
  if (!row) throw new Error("an object that is there has no readiness");
  return readinessOf(row);
}

/** The same of every object whose autopublishing is switched on. */
export async function systemReadiness(sql: Sql, workspaceId: string, who: Who): Promise<Readiness[]> {
  const rows = await sql<ReadinessRow[]>`
    select object_id, title, ready, usable, hindered, reasons
    from accounts.readiness(${workspaceId}, null, ${who.isAdmin ? null : who.owner}, ${mostReasons}) limit 1000`;
  return rows.map(readinessOf);
}

function readinessOf({ reasons, ...row }: ReadinessRow): Readiness {
  return {
    ...row,
    reasons: reasons.slice(0, mostReasons).map(({ account, chat, ...reason }) => ({
      ...reason,
      ...inBoth((texts) => texts.reasons[reason.code]({ account, chat })),
    })),
  };
}
