/** The conversations of one bot, as a service that any number of processes may run. */
import { type Clock, systemClock } from "../../kernel/clock/index.ts";
import { type Listener, listen, type Sql } from "../../kernel/db/index.ts";
import { type NewId, uuidv7 } from "../../kernel/ids/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import { createLoop, createStopController, type Service } from "../../kernel/service/index.ts";
import { registerFlows } from "../flow/check.ts";
import type { Flow } from "../flow/flow.ts";
import type { Interjection } from "../flow/interjection.ts";
import type { Messenger, Update } from "../messenger.ts";
import { expire, goHome, sceneOf } from "./decide.ts";
import { type EngineDeps, situationOf } from "./deps.ts";
import { type BotKey, lockDialogue, saveDialogue } from "./dialogue.ts";
import { chatsWaiting, forgetOld, handleNext, noteOf, receive } from "./inbox.ts";
import { chatsUnshown, show } from "./show.ts";
import { claimWork, doWork } from "./work.ts";

export interface DialogsSettings<Services> {
  readonly sql: Sql;
  readonly log: Log;
  readonly key: BotKey;
  readonly flows: readonly Flow<Services>[];
  readonly messenger: Messenger;
  readonly services: Services;
  /** The flow to come home to after /cancel, and when somebody writes while nothing is under way. */
  readonly home?: string;
  readonly interject?: Interjection;
  readonly clock?: Clock;
  readonly newId?: NewId;
  readonly leaseMs?: number;
  /** How many chats are worked on at once, and how much long work. */
  readonly concurrency?: number;
}

export interface Dialogs extends Service {
  /** Remembers updates and wakes the engine; once it returns, the messenger may forget them. */
  receive(updates: readonly Update[]): Promise<void>;
  /** Everything that is due now, work included, until nothing is. */
  settle(): Promise<void>;
}

const rests = { idleMs: 1_000, failedMs: 2_000, forgetEveryMs: 10 * 60_000 } as const;

export function createDialogs<Services>(settings: DialogsSettings<Services>): Dialogs {
  const { clock = systemClock, concurrency = 16, log, sql, key } = settings;
  const flows = registerFlows(settings.flows);
  if (settings.home !== undefined && !flows.has(settings.home))
    throw new Error(`the home flow ${settings.home} is not among the flows`);
  const deps: EngineDeps<Services> = {
    sql,
    log,
    key,
    clock,
    flows,
    home: settings.home,
    interject: settings.interject,
    messenger: settings.messenger,
    services: settings.services,
    newId: settings.newId ?? (() => uuidv7(clock)),
    leaseMs: settings.leaseMs ?? 30_000,
  };
  const inHand = new Map<string, Promise<void>>();
  let stopping = createStopController();
  let forgotten = 0;

  /** Everything that is due, without waiting for long work; false when there was nothing. */
  async function round(): Promise<boolean> {
    if (performance.now() - forgotten > rests.forgetEveryMs || forgotten === 0) {
      forgotten = performance.now();
      await forgetOld(deps);
    }
    const waiting = await chatsWaiting(deps, concurrency);
    await Promise.all(waiting.map(talk));
    const late = await expireLate(concurrency);
    const unshown = await chatsUnshown(deps, concurrency);
    await Promise.all(unshown.map((chatId) => show(chatId, deps)));
    const claims = inHand.size < concurrency ? await claimWork(deps, concurrency - inHand.size) : [];
    for (const claim of claims) {
      const running = doWork(claim, stopping.signal, deps)
        .then(() => show(claim.chat_id, deps))
        .catch((error: unknown) => log.error({ err: error, work: claim.work_id }, "work could not be ended"))
        .finally(() => {
          inHand.delete(claim.work_id);
          loop.wake();
        });
      inHand.set(claim.work_id, running);
    }
    return waiting.length + late + unshown.length + claims.length > 0;
  }

  async function talk(chatId: string): Promise<void> {
    if (await handleNext(chatId, deps)) await show(chatId, deps);
  }

  async function expireLate(limit: number): Promise<number> {
    const rows = await sql<{ chat_id: string }[]>`
      select chat_id from dialogs.dialogues
      where workspace_id = ${key.workspaceId} and bot = ${key.bot} and expires_at <= ${clock.now()}
      order by expires_at limit ${limit}`;
    for (const { chat_id } of rows) {
      await sql.begin(async (tx) => {
        const dialogue = await lockDialogue(tx, key, chat_id);
        if (!dialogue?.expires_at || dialogue.expires_at > clock.now()) return;
        const situation = situationOf(tx, dialogue, { wrote: false }, deps);
        const scene = sceneOf(dialogue, flows);
        // What this release does not know is told at the next update.
        if (!scene)
          await tx`
            update dialogs.dialogues set expires_at = null
            where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${chat_id}`;
        else {
          const next = goHome(situation, await expire(scene, situation));
          await saveDialogue(tx, dialogue, next, deps);
        }
      });
    }
    return rows.length;
  }

  const loop = createLoop(async () => {
    try {
      return (await round()) ? 0 : rests.idleMs;
    } catch (error) {
      log.error({ err: error, bot: key.bot }, "conversations could not be worked on");
      return rests.failedMs;
    }
  });
  let listener: Listener | undefined;

  return {
    name: `dialogs ${key.bot}`,
    receive: (updates) => receive(updates, deps),
    async settle() {
      while ((await round()) || inHand.size > 0) await Promise.all(inHand.values());
    },
    async start() {
      stopping = createStopController();
      listener = await listen(sql, "molva_dialogs", {
        onNotify(whose) {
          if (whose === noteOf(key)) loop.wake();
        },
        onReady: () => loop.wake(),
      });
      loop.start();
    },
    async stop() {
      await listener?.close();
      listener = undefined;
      stopping.abort();
      await loop.stop();
      await Promise.all(inHand.values());
    },
  };
}
