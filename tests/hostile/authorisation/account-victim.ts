import { newRecords } from "../../../src/accounts/testing/records.ts";
import type { Sql } from "../../../src/kernel/db/index.ts";

/** What bodies name: the victim's own, so that nobody is refused for a wrong id. */
export const victims = {
  account: "0198c0de-0000-7000-8000-0000000000a1",
  chat: "0198c0de-0000-7000-8000-0000000000a2",
  object: "0198c0de-0000-7000-8000-0000000000a3",
  list: "0198c0de-0000-7000-8000-0000000000a4",
  login: "0198c0de-0000-7000-8000-0000000000a6",
} as const;

/** Whose things they are: the name of the token that may touch them. */
const owner = "matrix";

/** Of everything that publishing from accounts has, one; answers the ids by the names that paths have for them. */
export async function anAccountVictim(
  sql: Sql,
  workspaceId: string,
  mark: string,
): Promise<Record<string, string>> {
  const records = await newRecords(sql, workspaceId);
  await records.anAccount({ id: victims.account, owner, title: mark, connected_at: new Date() });
  await records.aChat({ id: victims.chat, title: mark });
  await records.link(victims.account, victims.chat);
  await records.anObject({ id: victims.object, owner, title: mark, texts: { default: mark, compact: mark } });
  await records.aConfig(victims.object, [{ account_id: victims.account, chat_ids: [victims.chat] }]);
  await records.aTask({ object_id: victims.object, chat_id: victims.chat, account_id: victims.account });
  const [publication] = await sql<[{ id: string }]>`
    insert into accounts.history (workspace_id, object_id, chat_id, account_id, published_at, message_id)
    values (${workspaceId}, ${victims.object}, ${victims.chat}, ${victims.account}, now(), ${mark}) returning id`;
  const link = `https://t.me/${mark.replaceAll("-", "_")}`;
  await sql`
    insert into accounts.chat_lists (workspace_id, id, owner, name)
    values (${workspaceId}, ${victims.list}, ${owner}, ${mark})`;
  await sql`select accounts.set_list_links(${workspaceId}, ${victims.list}, ${[link]}, ${[link]})`;
  const [join] = await sql<[{ id: string }]>`
    select accounts.begin_joining(${workspaceId}, ${victims.account}, ${victims.list}, ${owner}, 'safe') as id`;
  await sql`
    insert into accounts.login_attempts (workspace_id, id, account_id, owner, method, step, hint, device, expires_at)
    values (${workspaceId}, ${victims.login}, ${victims.account}, ${owner}, 'qr', 'password', ${mark},
      '{"deviceModel": "x", "systemVersion": "x", "appVersion": "x", "langCode": "ru"}', now() + interval '1 hour')`;
  return {
    "accounts.account_id": victims.account,
    "chats.chat_id": victims.chat,
    "objects.object_id": victims.object,
    "lists.list_id": victims.list,
    "joins.join_id": join.id,
    "login.login_id": victims.login,
    "history.publication_id": publication.id,
  };
}
