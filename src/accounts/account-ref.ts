import { z } from "zod";
import type { Sql } from "../kernel/db/index.ts";
import type { AccountRef } from "../platforms/index.ts";
import type { AccountKey } from "./work/governor.ts";

/** What an account that was stored without one is taken for; one and the same for ever. */
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
  /** By which proxy the account goes, if by one. */
  readonly proxyOf?: ((account: AccountKey) => Promise<string | undefined>) | undefined;
}

/** An account as its driver opens it. */
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
