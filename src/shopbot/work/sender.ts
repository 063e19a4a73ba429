import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import { ended, type ReplyEnd, type SendDeps, sendReply, type TakenReply, takenReply } from "./send-reply.ts";

export interface SenderDeps extends SendDeps {
  readonly sql: Sql;
  readonly log: Log;
  readonly concurrency: number;
  /** A reply whose sender was silent for so long is taken by another, which looks before it sends. */
  readonly leaseSeconds: number;
}

export interface Sender {
  /** Begins to send what may leave now; says how many replies it took. */
  round(): Promise<number>;
  /** Whether anything is still to be sent, now or later. */
  waiting(): Promise<boolean>;
  /** Waits for what is under way. */
  drained(): Promise<void>;
}

/** In a round of more replies than this, showing that one types would only make the others wait. */
const quietRound = 8;

/** Sends replies, several at once, and records how they ended in as few statements as come together. */
export function createSender(deps: SenderDeps, onFree: () => void): Sender {
  const { sql, clock, log } = deps;
  const underWay = new Set<Promise<void>>();
  let ends: ReplyEnd[] = [];
  let recording: Promise<void> | undefined;

  async function carry(reply: TakenReply, showTyping: boolean): Promise<void> {
    // Gone before the lease is: nobody else may send while this one still could.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), deps.leaseSeconds * 900);
    const end = await sendReply(reply, deps, { signal: late.signal, showTyping }).catch((error: unknown) => {
      log.error({ err: error, outbox_id: reply.outbox_id }, "a reply could not be sent");
      return ended(reply, "unknown", adapterBroke);
    });
    clearTimeout(timer);
    ends.push(end);
    await record();
  }

  function record(): Promise<void> {
    recording ??= flush().finally(() => {
      recording = undefined;
    });
    return recording.then(() => (ends.length > 0 ? record() : undefined));
  }

  async function flush(): Promise<void> {
    const batch = ends;
    ends = [];
    try {
      await sql`select shopbot.end_replies(${JSON.stringify(batch)}::text::jsonb, ${clock.now()})`;
    } catch (error) {
      // Their leases will run out, and the next sender will look in the chats before it sends.
      log.error({ err: error, replies: batch.length }, "the end of replies could not be recorded");
    }
  }

  return {
    async round() {
      const free = deps.concurrency - underWay.size;
      if (free <= 0) return 0;
      const rows =
        await sql`select * from shopbot.take_replies(${free}, ${deps.leaseSeconds}, ${clock.now()})`;
      const showTyping = rows.length <= quietRound;
      for (const row of rows) {
        const carried: Promise<void> = carry(takenReply.parse(row), showTyping).finally(() => {
          underWay.delete(carried);
          onFree();
        });
        underWay.add(carried);
      }
      return rows.length;
    },
    async waiting() {
      const [row] = await sql<[{ waits: boolean }]>`select shopbot.replies_wait() as waits`;
      return row.waits;
    },
    async drained() {
      await Promise.all(underWay);
    },
  };
}

const adapterBroke = {
  category: "TRANSIENT",
  scope: "delivery",
  code: "adapter_execution_failed",
  message: "The adapter stopped with an unexpected error; the log has it.",
} as const;
