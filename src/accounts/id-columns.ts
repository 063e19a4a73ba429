import type { IdColumn } from "../kernel/db/index.ts";

/** Ids that may be given by their first characters. */
export const accountIdColumns = {
  account: { what: "account", table: "accounts.accounts", column: "id" },
  object: { what: "object", table: "accounts.objects", column: "id" },
  chat: { what: "chat", table: "accounts.chats", column: "id" },
  list: { what: "list of chats", table: "accounts.chat_lists", column: "id" },
  join: { what: "join task", table: "accounts.join_tasks", column: "id" },
  task: { what: "task", table: "accounts.queue", column: "id" },
  publication: { what: "publication", table: "accounts.history", column: "id" },
} as const satisfies Readonly<Record<string, IdColumn>>;
