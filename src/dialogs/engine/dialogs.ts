/** The dialogs of one bot, as a service that any number of processes may run. */
import { type Clock, systemClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { type NewId, uuidv7 } from "../../kernel/ids/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { Service } from "../../kernel/service/index.ts";
import { createWorker, type Hand, msUntil, type Timer } from "../../kernel/worker/index.ts";
import { registerFlows } from "../flow/check.ts";
import type { Flow } from "../flow/flow.ts";
import type { Interjection } from "../flow/interjection.ts";
import type { Messenger, Update } from "../messenger.ts";
import { expire, goHome, sceneOf } from "./answer-update.ts";
import { type EngineDeps, situationOf } from "./deps.ts";
import { type BotKey, lockDialogue, saveDialogue } from "./dialogue.ts";
import { nextDue } from "./due.ts";
import { chatsWaiting, forgetOld, handleNext, noteOf, receive } from "./inbox.ts";
import { chatsUnshown, show } from "./show.ts";
import { type Claim, claimWork, doWork } from "./work.ts";

export interface DialogsSettings<Services> {
  readonly sql: Sql;
  readonly log: Log;
  readonly key: BotKey;
  readonly flows: readonly Flow<Services>[];
  readonly messenger: Messenger;
  readonly services: Services;
  /** The flow shown after /cancel, and when a person writes while no flow is active. */
  readonly home?: string;
  readonly interject?: Interjection;
  readonly clock?: Clock;
  readonly newId?: NewId;
  readonly leaseMs?: number;
  /** How many chats are handled at once, and how much long work. */
  readonly concurrency?: number;
  readonly timer?: Timer;
}

export interface Dialogs extends Service {
  /** Stores updates and wakes the engine; once it returns, the messenger may delete them. */
  receive(updates: readonly Update[]): Promise<void>;
  /** Handles everything that is due, work included, until nothing is left. */
  settle(): Promise<void>;
}

/** How soon to check again what another process is handling. */
const lookAgainMs = 1_000;
/** Every bot of every workspace has one; slower than usual, because leases of other processes have timers too. */
const safetyNetMs = 60_000;
const forgetEveryMs = 10 * 60_000;

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
  let forgotten = Number.NEGATIVE_INFINITY;

  /** Handles everything that is due, without waiting for long work. */
  async function round({ free, begin }: Hand<Claim>): Promise<number> {
    if (performance.now() - forgotten > forgetEveryMs) {
      forgotten = performance.now();
      await forgetOld(deps);
    }
    const waiting = await chatsWaiting(deps, concurrency);
    await Promise.all(waiting.map(talk));
    const late = await expireLate(concurrency);
    const unshown = await chatsUnshown(deps, concurrency);
    await Promise.all(unshown.map((chatId) => show(chatId, deps)));
    const claims = free > 0 ? await claimWork(deps, free) : [];
    claims.forEach(begin);
    if (waiting.length + late + unshown.length + claims.length > 0) return 0;
    return msUntil(await nextDue(deps), clock, lookAgainMs);
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
        // The person is told about a state unknown to this release at the next update.
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

  const worker = createWorker<Claim>({
    name: `dialogs ${key.bot}`,
    log,
    trouble: "conversations could not be worked on",
    notices: { sql, channel: "molva_dialogs", heard: (whose) => whose === noteOf(key) },
    places: concurrency,
    safetyNetMs,
    timer: settings.timer,
    round,
    async run(claim, signal) {
      try {
        await doWork(claim, signal, deps);
        await show(claim.chat_id, deps);
      } catch (error) {
        // The lease ends, and the work is tried again; other chats do not wait for it.
        log.error({ err: error, work: claim.work_id }, "work could not be ended");
      }
    },
  });

  return {
    name: worker.name,
    start: worker.start,
    stop: worker.stop,
    receive: (updates) => receive(updates, deps),
    async settle() {
      let restMs: number;
      do {
        restMs = await worker.round();
        await worker.drained();
      } while (restMs === 0);
    },
  };
}
