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
import type { BotKeyboard } from "../flow/keyboard.ts";
import { type Route, screenBook } from "../flow/screens.ts";
import type { Messenger, Update } from "../messenger.ts";
import { commitStep } from "./commit.ts";
import { type EngineDeps, type Gate, situationOf } from "./deps.ts";
import { type BotKey, lockDialogue } from "./dialogue.ts";
import { nextDue } from "./due.ts";
import {
  chatsWaiting,
  fetchAndHandle,
  forgetOld,
  handleNext,
  noteOf,
  receive,
  type Wanted,
} from "./inbox.ts";
import { chatsUnshown, show } from "./show.ts";
import { expire, goHome, sceneOf } from "./situation.ts";
import { isWaiting, lookAgain } from "./waits.ts";
import { type Claim, claimWork, doWork } from "./work.ts";

export interface DialogsSettings<Services> {
  readonly sql: Sql;
  readonly log: Log;
  readonly key: BotKey;
  readonly flows: readonly Flow<Services>[];
  readonly messenger: Messenger;
  readonly services: Services;
  /** Screens outside flows. */
  readonly screens?: readonly Route<Services>[];
  /** The keyboard below the chat. */
  readonly keyboard?: BotKeyboard<Services>;
  /** Sees every update of a person first; `false` ignores it. */
  readonly gate?: Gate<Services>;
  /** Reads a file that is sent by its key (`{ stored: key }`). */
  readonly files?: (key: string) => Promise<Uint8Array | undefined>;
  /** The flow, or `screen:` and an address, shown after /cancel and when a person writes while no flow is active. */
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

/** What goes on beside the rounds: long work, and files on their way. */
type Job = Claim | Wanted;

/** How soon to check again what another process is handling. */
const lookAgainMs = 1_000;
/** Every bot of every workspace has one; slower than usual, because leases of other processes have timers too. */
const safetyNetMs = 60_000;
const forgetEveryMs = 10 * 60_000;

export function createDialogs<Services>(settings: DialogsSettings<Services>): Dialogs {
  const { clock = systemClock, concurrency = 16, log, sql, key } = settings;
  const { screens = [], keyboard, home } = settings;
  const flows = registerFlows(settings.flows, { screens, keyboard, home });
  if (home !== undefined && !home.startsWith("screen:") && !flows.has(home))
    throw new Error(`the home flow ${settings.home} is not among the flows`);
  const deps: EngineDeps<Services> = {
    sql,
    log,
    key,
    clock,
    flows,
    ...{ keyboard, home, screens: screenBook(screens), files: settings.files, gate: settings.gate },
    interject: settings.interject,
    messenger: settings.messenger,
    services: settings.services,
    newId: settings.newId ?? (() => uuidv7(clock)),
    leaseMs: settings.leaseMs ?? 30_000,
  };
  let forgotten = Number.NEGATIVE_INFINITY;

  /** Handles everything that is due, without waiting for long work. */
  async function round({ free, begin }: Hand<Job>): Promise<number> {
    if (performance.now() - forgotten > forgetEveryMs) {
      forgotten = performance.now();
      await forgetOld(deps);
    }
    const waiting = await chatsWaiting(deps, concurrency);
    const wanted = await Promise.all(waiting.map(talk));
    for (const file of wanted) if (file) begin(file);
    const late = await attendLate(concurrency);
    const unshown = await chatsUnshown(deps, concurrency);
    await Promise.all(unshown.map((chatId) => show(chatId, deps)));
    const places = free - wanted.filter((file) => file !== undefined).length;
    const claims = places > 0 ? await claimWork(deps, places) : [];
    claims.forEach(begin);
    if (waiting.length + late + unshown.length + claims.length > 0) return 0;
    return msUntil(await nextDue(deps), clock, lookAgainMs);
  }

  /** Returns the file that the step needs first: it is fetched beside the rounds. */
  async function talk(chatId: string): Promise<Wanted | undefined> {
    const handled = await handleNext(chatId, deps);
    if (typeof handled === "object") return handled;
    if (handled) await show(chatId, deps);
    return undefined;
  }

  /** Ends what nobody answered in time, and looks at what is waited for. */
  async function attendLate(limit: number): Promise<number> {
    const rows = await sql<{ chat_id: string }[]>`
      select chat_id from dialogs.dialogues
      where workspace_id = ${key.workspaceId} and bot = ${key.bot} and expires_at <= ${clock.now()}
      order by expires_at limit ${limit}`;
    await Promise.all(rows.map(({ chat_id }) => attend(chat_id)));
    return rows.length;
  }

  async function attend(chatId: string): Promise<void> {
    const waits = await sql.begin(async (tx) => {
      const dialogue = await lockDialogue(tx, key, chatId);
      if (!dialogue?.expires_at || dialogue.expires_at > clock.now()) return false;
      const situation = situationOf(tx, dialogue, { wrote: false }, deps);
      const scene = sceneOf(dialogue, flows);
      if (scene && isWaiting(scene)) {
        await lookAgain(tx, scene, situation, deps);
        return true;
      }
      // The person is told about a state unknown to this release at the next update.
      if (!scene)
        await tx`
          update dialogs.dialogues set expires_at = null
          where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${chatId}`;
      else await commitStep(tx, situation, goHome(situation, await expire(scene, situation)), deps);
      return false;
    });
    if (waits) void deps.messenger.typing(chatId).catch(() => log.debug("typing could not be shown"));
  }

  const worker = createWorker<Job>({
    name: `dialogs ${key.bot}`,
    log,
    trouble: "conversations could not be worked on",
    notices: { sql, channel: "molva_dialogs", heard: (whose) => whose === noteOf(key) },
    places: concurrency,
    safetyNetMs,
    timer: settings.timer,
    round,
    async run(job, signal) {
      const chatId = "fileId" in job ? job.chatId : job.chat_id;
      try {
        if ("fileId" in job) await fetchAndHandle(job, signal, deps);
        else await doWork(job, signal, deps);
        await show(chatId, deps);
      } catch (error) {
        // The lease ends, and the work is tried again; other chats do not wait for it.
        log.error({ err: error, chat: chatId }, "work could not be ended");
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
