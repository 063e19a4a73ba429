import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { AccountPerson, DeviceParameters } from "../../platforms/index.ts";
import { deviceShape, ownDevice } from "./device.ts";

/** An account that is there already, as signing in looks at it. */
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

/** The account of this person: by the number Telegram gave them, else by their phone. */
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

/** An account that was made before it signed in may have no device yet. */
export function deviceOf(account: Pick<KnownAccount, "device"> | undefined): DeviceParameters {
  const read = deviceShape.safeParse(account?.device);
  return read.success ? read.data : ownDevice;
}
