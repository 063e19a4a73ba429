/** Connections come with their accounts, under our own keys, and become channels of the delivery engine. */
import { adoptConnection } from "../../delivery/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import type { FernetKey, Vault } from "../../kernel/crypto/index.ts";
import { bindCredential } from "../../workspaces/index.ts";
import { credentialOf, ownerOf, product } from "../connections/connect.ts";
import { targetIn } from "../connections/try-account.ts";
import { SeoProblem } from "../problems.ts";
import { type PlatformType, platformTypes } from "../settings/shape.ts";
import { bringRows, type Prepared } from "./bring-rows.ts";
import { type Importing, leaveOut, noteChanged } from "./importing.ts";
import type { OldRow } from "./old-tables.ts";
import { type OpenedAccount, openAccount } from "./open-account.ts";

const table = "platform_connections";
const atOnce = 50;

/** The old key opens none of the credentials, so it is another one. */
export class WrongKey extends Error {
  override readonly name = "WrongKey";
}

export async function bringConnections(
  to: Importing,
  key: FernetKey | undefined,
  vault: Vault,
): Promise<void> {
  const opened = new Map<number, { readonly account: OpenedAccount; readonly status: unknown }>();
  const came = await bringRows(to, table, {
    async prepare(row): Promise<Prepared | undefined> {
      const platform = platformTypes.find((name) => name === row.platform_type);
      if (!platform) return refused(to, row, `${row.platform_type} is no platform that is known here`);
      const identifier = await storedTarget(to, platform, row);
      if (identifier === undefined) return refused(to, row, `${row.identifier} is no place of ${platform}`);
      if (platform === "telegram" && (await isSomebodyElses(to, row, identifier)))
        return refused(
          to,
          row,
          "another person has connected this channel here",
          "remove it there first, then run the import again",
        );
      const account = accountIn(row, platform, key);
      opened.set(row.id, { account, status: row.status });
      const known = typeof row.metadata === "object" && row.metadata !== null ? row.metadata : {};
      const metadata = account.ok
        ? { ...known, ...account.metadata, ...(account.title !== undefined && { title: account.title }) }
        : known;
      return { row: { ...row, metadata, identifier, credentials: `seo-${row.id}`, status: "disconnected" } };
    },
  });
  requireRightKey([...opened.values()].map(({ account }) => account));
  // Statements of one transaction run one after the other anyway; this saves waiting for each answer.
  for (let from = 0; from < came.length; from += atOnce)
    await Promise.all(came.slice(from, from + atOnce).map((row) => join(to, vault, row, opened.get(row.id))));
}

function refused(to: Importing, row: OldRow, why: string, wayOut?: string): undefined {
  leaveOut(to, table, row.id, why, wayOut);
  return undefined;
}

function accountIn(row: OldRow, platform: PlatformType, key: FernetKey | undefined): OpenedAccount {
  if (!key) return { ok: false, why: "content", message: "no old key was given" };
  return openAccount(platform, String(row.credentials ?? ""), key);
}

function requireRightKey(accounts: readonly OpenedAccount[]): void {
  const closed = accounts.filter((account) => !account.ok && account.why === "key").length;
  if (accounts.length > 0 && closed === accounts.length)
    throw new WrongKey(
      `The old key opens none of the ${closed} connections: it is another one. Nothing was imported.`,
    );
}

async function storedTarget(to: Importing, platform: PlatformType, row: OldRow): Promise<string | undefined> {
  try {
    return await targetIn(to.tx, platform, String(row.identifier ?? ""));
  } catch (error) {
    if (error instanceof SeoProblem) return undefined;
    throw error;
  }
}

async function isSomebodyElses(to: Importing, row: OldRow, identifier: string): Promise<boolean> {
  const others = await to.tx`
    select from seo.platform_connections c join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    where c.workspace_id = ${to.workspaceId} and c.platform_type = 'telegram' and c.identifier = ${identifier}
      and p.user_id <> (select o.user_id from seo.projects o where o.workspace_id = ${to.workspaceId} and o.id = ${Number(row.project_id)})`;
  return others.length > 0;
}

/** Stores the account and makes the channel. Without an account the connection stays `disconnected`, and its owner connects it again. */
async function join(
  to: Importing,
  vault: Vault,
  row: OldRow,
  given: { readonly account: OpenedAccount; readonly status: unknown } | undefined,
): Promise<void> {
  const { tx, workspaceId } = to;
  const platform = row.platform_type as PlatformType;
  if (!given?.account.ok) {
    const why = given?.account.ok === false ? given.account.message : "its account is missing";
    noteChanged(to, table, row.id, `${why}; it comes disconnected`, "its owner connects it again");
    return;
  }
  const key = credentialOf(row.id, platform);
  await bindCredential(
    tx,
    { clock: systemClock, vault },
    workspaceId,
    key,
    { token: given.account.secret },
    { operator: product },
  );
  if (given.status === "disconnected") return;
  const [owner] = await tx<[{ user_id: number; created_at: Date }]>`
    select p.user_id, c.created_at
    from seo.platform_connections c join seo.projects p on p.workspace_id = c.workspace_id and p.id = c.project_id
    where c.workspace_id = ${workspaceId} and c.id = ${row.id}`;
  const failed = { code: "imported_error", message: "it had failed before the import" };
  const channelId = await adoptConnection(tx, workspaceId, {
    ...{
      owner: ownerOf({ workspaceId, userId: owner.user_id }),
      key: String(row.id),
      platform,
      auth_ref: key.auth_ref,
    },
    ...{ target_id: String(row.identifier), createdAt: owner.created_at },
    ...(given.account.title !== undefined && { title: given.account.title }),
    ...(given.status === "error" && { error: failed }),
  });
  if (channelId === undefined) {
    noteChanged(
      to,
      table,
      row.id,
      "another person has a channel of this number; it comes disconnected",
      "its owner connects it again",
    );
    return;
  }
  await tx`
    update seo.platform_connections set channel_id = ${channelId}, status = ${given.status === "error" ? "error" : "active"}
    where workspace_id = ${workspaceId} and id = ${row.id}`;
}
