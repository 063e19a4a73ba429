import type { Sql } from "../../kernel/db/index.ts";
import type { Format } from "../post/compose.ts";

export interface TakenTask {
  readonly workspace_id: string;
  readonly id: string;
  readonly object_id: string;
  readonly chat_id: string;
  readonly account_id: string;
  readonly owner: string;
  readonly origin: "daily" | "config" | "manual";
  readonly format: Format | null;
  readonly allow_duplicate: boolean;
  readonly attempts: number;
  readonly created_at: Date;
  readonly claim_token: string;
}

/** The account's oldest due task, if the account may publish now. */
export async function takeTask(
  sql: Sql,
  workspaceId: string,
  accountId: string,
  now: Date,
): Promise<TakenTask | undefined> {
  const [task] = await sql<
    TakenTask[]
  >`select * from accounts.take_task(${workspaceId}, ${accountId}, ${now})`;
  return task;
}
