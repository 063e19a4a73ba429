import { z } from "zod";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type By, inOneChange, noteChange } from "../../workspaces/index.ts";
import { workspacePaceShape } from "../governor/pace-settings.ts";

/** A workspace's settings with their defaults. */
export const settingShapes = {
  /** Whether the same object may be published again within 24 hours. */
  allow_duplicates: z.strictObject({
    manual_bot: z.boolean().default(false),
    manual_account: z.boolean().default(false),
    autopublish_bot: z.boolean().default(false),
    autopublish_account: z.boolean().default(false),
    admin_bypass: z.boolean().default(false).describe("Whether administrators may ask for a repeat"),
  }),
  account_rate_limit: z.strictObject({
    enabled: z.boolean().default(true),
    seconds: z.number().min(0).max(86_400).default(60).describe("Between two messages of an account"),
    per_hour: z.int().min(1).max(3_600).default(60).describe("Messages of an account in a rolling hour"),
  }),
  account_pace: workspacePaceShape,
  admin_bypass_time_limit: z.strictObject({
    enabled: z
      .boolean()
      .default(false)
      .describe("Whether administrators publish through bots outside the window"),
  }),
  /** Parent district of each district; filters of bot chats match both. */
  districts: z.record(z.string(), z.string().nullable()),
} as const;

export type SettingKey = keyof typeof settingShapes;
export type Settings = { readonly [Key in SettingKey]: z.output<(typeof settingShapes)[Key]> };

export async function readSettings(sql: Sql | Transaction, workspaceId: string): Promise<Settings> {
  const rows = await sql<{ key: string; value: unknown }[]>`
    select key, value from accounts.settings where workspace_id = ${workspaceId}`;
  const stored = new Map(rows.map(({ key, value }) => [key, value]));
  return {
    allow_duplicates: read(settingShapes.allow_duplicates, stored.get("allow_duplicates")),
    account_rate_limit: read(settingShapes.account_rate_limit, stored.get("account_rate_limit")),
    account_pace: read(settingShapes.account_pace, stored.get("account_pace")),
    admin_bypass_time_limit: read(
      settingShapes.admin_bypass_time_limit,
      stored.get("admin_bypass_time_limit"),
    ),
    districts: read(settingShapes.districts, stored.get("districts")),
  };
}

/** An invalid stored value is ignored: the defaults are the careful ones. */
function read<T>(shape: z.ZodType<T>, stored: unknown): T {
  const parsed = shape.safeParse(stored ?? {});
  return parsed.success ? parsed.data : shape.parse({});
}

/** Changes the given fields of a setting. */
export async function changeSetting<Key extends SettingKey>(
  { sql, clock }: { readonly sql: Sql; readonly clock: Clock },
  workspaceId: string,
  key: Key,
  changes: Partial<Settings[Key]>,
  by: By,
): Promise<Settings> {
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    const before = (await readSettings(tx, workspaceId))[key];
    const value = settingShapes[key].parse({ ...before, ...changes });
    await tx`
      insert into accounts.settings (workspace_id, key, value, updated_at)
      values (${workspaceId}, ${key}, ${JSON.stringify(value)}::text::jsonb, ${now})
      on conflict (workspace_id, key) do update set value = excluded.value, updated_at = excluded.updated_at`;
    await noteChange(tx, { workspaceId, now, by, meta: { object: "account_settings", key, changes } });
    return readSettings(tx, workspaceId);
  });
}
