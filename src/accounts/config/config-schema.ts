import { z } from "zod";
import { idOf } from "../../workspaces/index.ts";
import { accountIdColumns } from "../id-columns.ts";

const entry = z.strictObject({
  account_id: idOf(accountIdColumns.account),
  chat_ids: z.array(idOf(accountIdColumns.chat)).max(1000).describe("In the order of publishing"),
});

export const configChanges = z
  .strictObject({
    enabled: z.boolean().describe("Whether the object is published automatically at all"),
    bot_enabled: z.boolean().describe("Through bots, to every chat whose filters match"),
    accounts_enabled: z.boolean().describe("Through the accounts below"),
    format: z.enum(["default", "compact"]),
    accounts: z
      .array(entry)
      .max(200)
      .describe("An empty list stops publishing through accounts but keeps the stored list"),
  })
  .partial();
export type ConfigChanges = z.output<typeof configChanges>;

export const configSchema = z.object({
  object_id: z.uuid(),
  enabled: z.boolean(),
  bot_enabled: z.boolean(),
  accounts_enabled: z.boolean(),
  format: z.enum(["default", "compact"]),
  accounts: z.array(z.object({ account_id: z.uuid(), chat_ids: z.array(z.uuid()) })),
  created_at: z.date(),
  updated_at: z.date(),
});
export type Config = z.output<typeof configSchema>;
export type ConfigEntry = Config["accounts"][number];

/** Drops accounts without chats, and merges the chats of an account that is listed twice. */
export function mergedEntries(entries: readonly ConfigEntry[]): ConfigEntry[] {
  const chats = new Map<string, Set<string>>();
  for (const { account_id, chat_ids } of entries)
    chats.set(account_id, new Set([...(chats.get(account_id) ?? []), ...chat_ids]));
  return [...chats]
    .filter(([, ids]) => ids.size > 0)
    .map(([account_id, ids]) => ({ account_id, chat_ids: [...ids] }));
}
