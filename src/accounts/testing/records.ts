import type { Sql } from "../../kernel/db/index.ts";

/** One builder per entity; each returns the new id. */
export interface Records {
  readonly workspaceId: string;
  anAccount(given?: Record<string, unknown>): Promise<string>;
  aChat(given?: Record<string, unknown>): Promise<string>;
  link(accountId: string, chatId: string, given?: Record<string, unknown>): Promise<void>;
  anObject(given?: Record<string, unknown>): Promise<string>;
  aConfig(objectId: string, accounts: readonly ConfigEntry[], given?: Record<string, unknown>): Promise<void>;
  aTask(ids: TaskIds, given?: Record<string, unknown>): Promise<string>;
}

export interface ConfigEntry {
  readonly account_id: string;
  readonly chat_ids: readonly string[];
}

export interface TaskIds {
  readonly object_id: string;
  readonly chat_id: string;
  readonly account_id: string;
}

export async function newRecords(sql: Sql): Promise<Records> {
  const [workspace] = await sql<{ workspace_id: string }[]>`
    insert into workspaces.workspaces (name) values ('Агентство') returning workspace_id`;
  if (!workspace) throw new Error("no workspace was made");
  return recordsIn(sql, workspace.workspace_id);
}

export function recordsIn(sql: Sql, workspaceId: string): Records {
  let number = 0;

  async function insert(table: string, row: Record<string, unknown>): Promise<string> {
    const stored = Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, isJson(value) ? sql.json(value) : value]),
    );
    const [made] = await sql<{ id: string }[]>`insert into ${sql(table)} ${sql(stored)} returning id`;
    if (!made) throw new Error(`nothing was put into ${table}`);
    return made.id;
  }

  return {
    workspaceId,
    anAccount(given = {}) {
      number += 1;
      return insert("accounts.accounts", {
        workspace_id: workspaceId,
        owner: "anna",
        phone: `+7900${String(1_000_000 + number)}`,
        title: `Аккаунт ${number}`,
        connected_at: new Date(0),
        ...given,
      });
    },
    aChat(given = {}) {
      number += 1;
      return insert("accounts.chats", {
        workspace_id: workspaceId,
        telegram_chat_id: String(-1_001_000_000_000 - number),
        title: `Чат ${number}`,
        type: "supergroup",
        ...given,
      });
    },
    async link(accountId, chatId, given = {}) {
      const row = { workspace_id: workspaceId, account_id: accountId, chat_id: chatId, ...given };
      await sql`insert into accounts.account_chats ${sql(row)}`;
    },
    anObject(given = {}) {
      number += 1;
      return insert("accounts.objects", {
        workspace_id: workspaceId,
        owner: "anna",
        title: `Квартира ${number}`,
        texts: { default: `<b>Квартира ${number}</b>\nСвет и тишина`, compact: `Квартира ${number}` },
        ...given,
      });
    },
    async aConfig(objectId, accounts, given = {}) {
      const row = {
        workspace_id: workspaceId,
        object_id: objectId,
        accounts_config: sql.json(
          accounts.map(({ account_id, chat_ids }) => ({ account_id, chat_ids: [...chat_ids] })),
        ),
        ...given,
      };
      await sql`insert into accounts.autopublish ${sql(row)}`;
    },
    aTask(ids, given = {}) {
      return insert("accounts.queue", {
        workspace_id: workspaceId,
        ...ids,
        owner: "anna",
        origin: "daily",
        scheduled_time: new Date(),
        ...given,
      });
    },
  };
}

type Json = Parameters<Sql["json"]>[0];

function isJson(value: unknown): value is Json & object {
  return typeof value === "object" && value !== null && !(value instanceof Date);
}
