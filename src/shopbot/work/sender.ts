import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { CompileReply } from "./compile-reply.ts";
import { loadBot } from "./load-bot.ts";
import { notDeliveredRow } from "./operators.ts";
import { ended, type ReplyEnd, type SendDeps, sendReply, type TakenReply, takenReply } from "./send-reply.ts";

export interface SenderDeps extends SendDeps {
  readonly sql: Sql;
  readonly log: Log;
  readonly concurrency: number;
  /** A reply whose sender was silent for so long is taken by another, which looks before it sends. */
  readonly leaseSeconds: number;
  readonly compile: CompileReply;
}

export interface Sender {
  /** Begins to send what may leave now; says for how long nothing more can be expected unless it is woken. */
  round(): Promise<number>;
  /** Waits for what is under way. */
  drained(): Promise<void>;
}

/** While something waits for its time, and while nothing does. */
const restsMs = { waiting: 100, idle: 5_000 } as const;

/** A bot that says more than this in a second types for nobody: it would only spend what the messenger allows it. */
const quietPerSecond = 12;

/**
 * Sends replies, several at once, and records how they ended in as few statements as come together. `onMore` is called when
 * another round could take what the last one could not.
 */
export function createSender(deps: SenderDeps, onMore: () => void): Sender {
  const { sql, clock, log } = deps;
  const underWay = new Set<Promise<void>>();
  let ends: ReplyEnd[] = [];
  let recording: Promise<void> | undefined;
  let full = false;
  const isBusy = busyMeter(clock);

  async function carry(reply: TakenReply, showTyping: boolean): Promise<void> {
    // Gone before the lease is: nobody else may send while this one still could.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), deps.leaseSeconds * 900);
    const end = await sendReply(reply, deps, { signal: late.signal, showTyping }).catch((error: unknown) => {
      log.error({ err: error, outbox_id: reply.outbox_id }, "a reply could not be sent");
      return ended(reply, "unknown", adapterBroke);
    });
    clearTimeout(timer);
    if (end.error) log.warn({ outbox_id: reply.outbox_id, kind: reply.kind, ...end }, "a reply was not sent");
    ends.push(end);
    await record();
    if (reply.kind === "operator" && end.error) await tellOperators(reply, end.error.message);
  }

  /** Who wrote to a customer has to know when the words will never arrive. */
  async function tellOperators(reply: TakenReply, why: string): Promise<void> {
    try {
      const now = clock.now();
      const failed = await sql`
        select from shopbot.bot_outbox
        where workspace_id = ${reply.workspace_id} and chat_id = ${reply.chat_id}
          and inbound_provider_message_id = ${reply.inbound} and status = 'failed'`;
      const bot = failed.length > 0 ? await loadBot(sql, reply.workspace_id) : undefined;
      if (!bot || bot.operatorsChatId === null) return;
      const row = notDeliveredRow(reply, why, { bot, compile: deps.compile, now });
      await sql`select shopbot.put_replies(${JSON.stringify([row])}::text::jsonb, ${now})`;
      onMore();
    } catch (error) {
      log.error({ err: error, outbox_id: reply.outbox_id }, "operators could not be told of a failed answer");
    }
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
      const [row] = await sql<[{ more: boolean }]>`
        select shopbot.end_replies(${JSON.stringify(batch)}::text::jsonb, ${clock.now()}) as more`;
      if (row.more) onMore();
    } catch (error) {
      // Their leases will run out, and the next sender will look in the chats before it sends.
      log.error({ err: error, replies: batch.length }, "the end of replies could not be recorded");
    }
  }

  return {
    async round() {
      const free = deps.concurrency - underWay.size;
      full = free <= 0;
      if (full) return restsMs.idle;
      const rows =
        await sql`select * from shopbot.take_replies(${free}, ${deps.leaseSeconds}, ${clock.now()})`;
      const showTyping = !isBusy(rows.length);
      for (const row of rows) {
        const carried: Promise<void> = carry(takenReply.parse(row), showTyping).finally(() => {
          underWay.delete(carried);
          if (full) onMore();
        });
        underWay.add(carried);
      }
      if (rows.length > 0) return rows.length === free ? 0 : restsMs.waiting;
      const [row] = await sql<[{ waits: boolean }]>`select shopbot.replies_wait() as waits`;
      return row.waits ? restsMs.waiting : restsMs.idle;
    },
    async drained() {
      await Promise.all(underWay);
    },
  };
}

/** Whether more was said within the current second than a bot says that has time to type. */
function busyMeter(clock: SenderDeps["clock"]): (said: number) => boolean {
  let second = 0;
  let count = 0;
  return (said) => {
    const now = Math.floor(clock.now().getTime() / 1000);
    count = (now === second ? count : 0) + said;
    second = now;
    return count > quietPerSecond;
  };
}

const adapterBroke = {
  category: "TRANSIENT",
  scope: "delivery",
  code: "adapter_execution_failed",
  message: "The adapter stopped with an unexpected error; the log has it.",
} as const;
