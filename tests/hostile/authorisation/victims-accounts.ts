import { recordsIn } from "../../../src/accounts/testing/records.ts";
import type { Sql } from "../../../src/kernel/db/index.ts";

/** What bodies name: the victim's own, so that nobody is refused for a wrong id. */
export const victimsAccount = "0198c0de-0000-7000-8000-0000000000a1";
export const victimsChat = "0198c0de-0000-7000-8000-0000000000a2";
export const victimsObject = "0198c0de-0000-7000-8000-0000000000a3";
export const victimsList = "0198c0de-0000-7000-8000-0000000000a4";

/** Of the caller with that name: an account that publishes an object to a chat, joins a list and is being signed in; by the names that paths have for them. */
export async function aVictimOfAccounts(
  sql: Sql,
  workspaceId: string,
  mark: string,
  owner: string,
): Promise<Record<string, string>> {
  const records = recordsIn(sql, workspaceId);
  const ids = { account_id: victimsAccount, chat_id: victimsChat, object_id: victimsObject };
  await records.anAccount({ id: victimsAccount, owner, title: mark, phone: "+79990000077" });
  await records.aChat({ id: victimsChat, title: mark });
  await records.link(victimsAccount, victimsChat);
  await records.anObject({ id: victimsObject, owner, title: mark, texts: { default: mark, compact: mark } });
  await records.aConfig(victimsObject, [{ account_id: victimsAccount, chat_ids: [victimsChat] }]);
  await records.aTask(ids, { owner, scheduled_time: new Date(Date.now() + 86_400_000) });
  const insert = async (table: string, row: Record<string, unknown>) => {
    const [made] = await sql<{ id: string }[]>`
      insert into ${sql(table)} ${sql({ workspace_id: workspaceId, owner, ...row })} returning id`;
    return made?.id ?? "";
  };
  const [publication] = await sql<[{ id: string }]>`
    insert into accounts.history ${sql({ workspace_id: workspaceId, ...ids, message_id: "1", published_at: new Date(0) })}
    returning id`;
  await insert("accounts.chat_lists", { id: victimsList, name: mark });
  const join = await insert("accounts.join_tasks", {
    account_id: victimsAccount,
    list_id: victimsList,
    list_name: mark,
    status: "paused",
  });
  const login = await insert("accounts.login_attempts", {
    account_id: victimsAccount,
    method: "phone",
    phone: "+79990000077",
    step: "code",
    code_hash: mark,
    device: sql.json({}),
    expires_at: new Date(Date.now() + 600_000),
  });
  return {
    "accounts.account_id": victimsAccount,
    "chats.chat_id": victimsChat,
    "objects.object_id": victimsObject,
    "history.publication_id": publication.id,
    "lists.list_id": victimsList,
    "joins.join_id": join,
    "login.login_id": login,
  };
}
