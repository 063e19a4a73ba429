import { z } from "zod";
import type { Sql } from "../kernel/db/index.ts";
import type { AccountRef } from "../platforms/index.ts";
import type { AccountKey } from "./work/governor-contract.ts";

/** Used for accounts stored without device parameters. Telegram shows them to the user, so they must not change. */
const plainDevice = {
  deviceModel: "Desktop",
  systemVersion: "Linux",
  appVersion: "Molva",
  langCode: "ru",
} as const;

const deviceShape = z.object({
  deviceModel: z.string().default(plainDevice.deviceModel),
  systemVersion: z.string().default(plainDevice.systemVersion),
  appVersion: z.string().default(plainDevice.appVersion),
  langCode: z.string().default(plainDevice.langCode),
});

export interface AccountRefDeps {
  readonly sql: Sql;
  /** The proxy the account uses, if any. */
  readonly proxyOf?: ((account: AccountKey) => Promise<string | undefined>) | undefined;
}

/** The account in the form that the driver opens. */
export async function accountRefOf(
  { sql, proxyOf }: AccountRefDeps,
  account: AccountKey,
): Promise<AccountRef | undefined> {
  const { workspaceId, accountId } = account;
  const [row] = await sql<{ device: unknown }[]>`
    select device from accounts.accounts where workspace_id = ${workspaceId} and id = ${accountId}`;
  if (!row) return undefined;
  const proxy = await proxyOf?.(account);
  return {
    workspaceId,
    accountId,
    device: deviceShape.parse(row.device),
    ...(proxy !== undefined && { proxy }),
  };
}
