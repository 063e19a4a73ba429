import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import { createWorker, idle, msUntil, type Timer, type Worker } from "../../kernel/worker/index.ts";
import type { CompileReply } from "./compile-reply.ts";
import { loadBot } from "./load-bot.ts";
import { notDeliveredRow } from "./operator-replies.ts";
import { ended, type ReplyEnd, type SendDeps, sendReply, type TakenReply, takenReply } from "./send-reply.ts";

export interface SenderDeps extends SendDeps {
  readonly sql: Sql;
  readonly log: Log;
  readonly concurrency: number;
  /** After this time another sender takes the reply over, and looks in the chat before it sends. */
  readonly leaseSeconds: number;
  readonly compile: CompileReply;
  readonly timer?: Timer | undefined;
}

/** How soon to look again at due replies that wait for the bot's rate or for an earlier reply in their chat. */
const lookAgainMs = 100;
/** With this many waiting replies one is always due soon, so the query is skipped. */
const many = 100;

/** Above this rate no typing indicator is sent, to save requests. */
const quietPerSecond = 12;

interface Job {
  readonly reply: TakenReply;
  readonly showTyping: boolean;
}

/** Sends several replies at a time, and records results in batches. */
export function createSender(deps: SenderDeps): Worker<Job> {
  const { sql, clock, log, leaseSeconds } = deps;
  let ends: ReplyEnd[] = [];
  let recording: Promise<void> | undefined;
  const isBusy = busyMeter(clock);

  async function carry({ reply, showTyping }: Job): Promise<void> {
    // Aborts before the lease ends, so that no other sender overlaps.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), leaseSeconds * 900);
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

  /** Tells operators that their answer will not arrive. */
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
      await sql`select shopbot.end_replies(${JSON.stringify(batch)}::text::jsonb, ${clock.now()})`;
    } catch (error) {
      // Their leases expire, and the next sender looks in the chats before sending.
      log.error({ err: error, replies: batch.length }, "the end of replies could not be recorded");
    }
  }

  async function take(free: number): Promise<TakenReply[]> {
    const rows = await sql`select * from shopbot.take_replies(${free}, ${leaseSeconds}, ${clock.now()})`;
    return rows.map((row) => takenReply.parse(row));
  }

  /** Time until a reply is due or the lease of one expires; neither is announced. */
  async function restMs(): Promise<number> {
    const [row] = await sql<[{ waiting: number; due: Date | null }]>`
      select count(*)::int as waiting,
        min(case status when 'waiting' then not_before
            else sending_started_at + make_interval(secs => ${leaseSeconds}) end) as due
      from (select * from shopbot.bot_outbox where status in ('waiting', 'sending') limit ${many}) o`;
    return row.waiting === many ? lookAgainMs : msUntil(row.due, clock, lookAgainMs);
  }

  return createWorker<Job>({
    name: "shopbot sender",
    log,
    trouble: "replies could not be taken",
    notices: { sql, channel: "molva_shopbot", heard: (what) => what === "outbox" },
    places: deps.concurrency,
    // A taken reply is finished on shutdown; another process would have to look for it in the chat.
    stopWithinMs: leaseSeconds * 1_000,
    timer: deps.timer,
    async round({ free, begin }) {
      if (free === 0) return idle;
      const replies = await take(free);
      const showTyping = !isBusy(replies.length);
      for (const reply of replies) begin({ reply, showTyping });
      return replies.length === free ? 0 : restMs();
    },
    run: carry,
  });
}

/** Whether more was sent in the current second than `quietPerSecond`. */
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
