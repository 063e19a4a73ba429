import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { gather } from "../../kernel/gather/index.ts";

/** A row for shopbot.receive. */
interface InboxRow {
  readonly workspace_id: string;
  readonly provider: string;
  readonly chat_id: string;
  readonly provider_message_id: string;
  /** Null: the time of receipt is used. */
  readonly ts: Date | null;
  readonly provider_seq: string | null;
  readonly body: unknown;
  readonly payload: unknown;
  readonly trace_id: string;
  readonly in_group: boolean;
}

export type Verdict = "accepted" | "duplicate" | "in_group" | "no_bot";

/** Resolves when the update is committed. Concurrent updates are written together. */
export type Inbox = (row: InboxRow) => Promise<Verdict>;

export function createInbox({ sql, clock }: { sql: Sql; clock: Clock }): Inbox {
  return gather(async (rows: readonly InboxRow[]) => {
    const verdicts = await sql<{ verdict: Verdict }[]>`
      select verdict from shopbot.receive(${JSON.stringify(rows)}::text::jsonb, ${clock.now()}) order by place`;
    return verdicts.map(({ verdict }) => verdict);
  });
}
