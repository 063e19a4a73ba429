import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { AccountPerson, DeviceParameters } from "../../platforms/index.ts";

/** How an account signed in here appears in Telegram's list of devices; stored with the account and never changed. */
export const ownDevice: DeviceParameters = {
  deviceModel: "Molva",
  systemVersion: "Server",
  appVersion: "1.0",
  langCode: "ru",
};

const deviceShape = z.object({
  deviceModel: z.string(),
  systemVersion: z.string(),
  appVersion: z.string(),
  langCode: z.string(),
});

export interface KnownAccount {
  readonly id: string;
  readonly owner: string;
  readonly phone: string | null;
  readonly is_active: boolean;
  readonly flood_until: Date | null;
  readonly device: unknown;
}

const fields = ["id", "owner", "phone", "is_active", "flood_until", "device"] as const;

export async function accountByPhone(
  sql: Sql,
  workspaceId: string,
  phone: string,
): Promise<KnownAccount | undefined> {
  const [row] = await sql<KnownAccount[]>`
    select ${sql(fields)} from accounts.accounts where workspace_id = ${workspaceId} and phone = ${phone}`;
  return row;
}

/** Finds the account by the Telegram user id, else by phone. */
export async function accountOfPerson(
  tx: Transaction,
  workspaceId: string,
  { userId, phone }: Pick<AccountPerson, "userId" | "phone">,
): Promise<KnownAccount | undefined> {
  const [row] = await tx<KnownAccount[]>`
    select ${tx(fields)} from accounts.accounts
    where workspace_id = ${workspaceId} and (telegram_user_id = ${userId} or phone = ${phone ?? null})
    order by (telegram_user_id = ${userId}) is true desc limit 1 for update`;
  return row;
}

/** Accounts created before their first sign-in may have no device. */
export function deviceOf(account: Pick<KnownAccount, "device"> | undefined): DeviceParameters {
  const read = deviceShape.safeParse(account?.device);
  return read.success ? read.data : ownDevice;
}
