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
import { type OwnTexts, textsWith } from "../texts/index.ts";
import { commitStep } from "./commit.ts";
import { type EngineDeps, type Meet, situationOf } from "./deps.ts";
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
import type { Pace } from "./pace.ts";
import type { LooksSecret } from "./secrets.ts";
import { chatsUnshown, show } from "./show.ts";
import { expire, goHome, sceneOf } from "./situation.ts";
import type { Timing } from "./steps.ts";
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
  /** Sees every update of a person first. */
  readonly meet?: Meet<Services>;
  /** Updates of one person beyond this are dropped in silence. */
  readonly pace?: Pace | undefined;
  /** Reads a file that is sent by its key (`{ stored: key }`). */
  readonly files?: (key: string) => Promise<Uint8Array | undefined>;
  /** The flow, or `screen:` and an address, shown after /cancel and when a person writes while no flow is active. */
  readonly home?: string;
  readonly interject?: Interjection;
  /** Texts that are taken out of the chat wherever they are written. */
  readonly looksSecret?: LooksSecret;
  /** The bot's own words in place of the engine's. */
  readonly texts?: OwnTexts | undefined;
  /** Times of this installation in place of the flows'. */
  readonly timing?: Timing | undefined;
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

/** What goes on beside the rounds: steps of chats, long work, and files on their way. */
type Job = Claim | Wanted | { readonly talkTo: string };

/** How soon to check again what another process is handling. */
const lookAgainMs = 1_000;
/** Every bot of every workspace has one; slower than usual, because leases of other processes have timers too. */
const safetyNetMs = 60_000;
const forgetEveryMs = 10 * 60_000;
const attendEveryMs = 50;

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
    ...{ keyboard, home, screens: screenBook(screens), files: settings.files, meet: settings.meet },
    pace: settings.pace,
    texts: textsWith(settings.texts),
    timing: settings.timing ?? {},
    ...{ interject: settings.interject, looksSecret: settings.looksSecret },
    messenger: settings.messenger,
    services: settings.services,
    newId: settings.newId ?? (() => uuidv7(clock)),
    leaseMs: settings.leaseMs ?? 30_000,
  };
  let forgotten = Number.NEGATIVE_INFINITY;
  let attended = Number.NEGATIVE_INFINITY;
  let settling = false;
  let isRunning = false;
  /** Chats whose step is being taken. */
  const talking = new Set<string>();
  /** Updates may wait that were not handed to this engine, or that it had no place for. */
  let mayWait = true;
  /** The name of this engine in notices. */
  const me = deps.newId();

  /** Begins what is due, without waiting for it: a chat that is slow to be shown does not delay another. */
  async function round({ jobs, begin }: Hand<Job>): Promise<number> {
    if (performance.now() - forgotten > forgetEveryMs) {
      forgotten = performance.now();
      await forgetOld(deps);
    }
    const sinceMs = performance.now() - attended;
    // While people tap, the inbox and the rest are looked at only so often: new updates are handed over.
    const isEarly = !settling && sinceMs < attendEveryMs;
    if (isEarly && talking.size > 0 && !mayWait) return attendEveryMs - sinceMs;
    const room = roomToTalk();
    mayWait = room <= 0;
    const waiting = room > 0 ? await chatsWaiting(deps, room, [...talking]) : [];
    // Some of them may have been handed over meanwhile.
    const found = waiting.filter((chatId) => !talking.has(chatId)).slice(0, roomToTalk());
    if (waiting.length >= room) mayWait = true;
    for (const talkTo of found) begin({ talkTo });
    // By hand, people come first and the rest comes after them.
    if (settling && found.length > 0) return 0;
    if (isEarly && talking.size > 0) return attendEveryMs - sinceMs;
    attended = performance.now();
    const late = await attendLate(concurrency);
    const unshown = (await chatsUnshown(deps, concurrency)).filter((chatId) => !talking.has(chatId));
    await Promise.all(unshown.map((chatId) => show(chatId, deps)));
    const worked = jobs.flatMap((job) => ("work_id" in job ? [job.chat_id] : []));
    // Asked anew: chats were handed over since the round began.
    const places = worker.free - concurrency + talking.size;
    const claims = places > 0 ? await claimWork(deps, places, worked) : [];
    claims.forEach(begin);
    if (found.length + late + unshown.length + claims.length > 0) return 0;
    return msUntil(await nextDue(deps), clock, lookAgainMs);
  }

  /** Takes a chat's next step, and shows it. A file that the step needs first is fetched beside. */
  async function talk(chatId: string): Promise<void> {
    talking.add(chatId);
    try {
      const handled = await handleNext(chatId, deps);
      if (!handled) return;
      if ("fileId" in handled) return worker.begin(handled);
      await Promise.all([handled.told, show(chatId, deps, handled.shows)]);
    } finally {
      talking.delete(chatId);
    }
  }

  /** How many more chats may be talked to. Files on their way may take the places of steps. */
  function roomToTalk(): number {
    return Math.min(concurrency - talking.size, worker.free);
  }

  /** Takes the steps of chats that have just written, as far as there is room: nobody has to look for them. */
  function hand(chats: readonly string[]): void {
    let begun = 0;
    for (const talkTo of new Set(chats)) {
      if (talking.has(talkTo) || roomToTalk() <= 0) continue;
      worker.begin({ talkTo });
      begun += 1;
    }
    if (begun === chats.length) return;
    mayWait = true;
    worker.wake();
  }

  /** Ends what nobody answered in time, and looks at what is waited for. Who has just written is told so in answer to that. */
  async function attendLate(limit: number): Promise<number> {
    const rows = await sql<{ chat_id: string }[]>`
      select chat_id from dialogs.dialogues d
      where workspace_id = ${key.workspaceId} and bot = ${key.bot} and expires_at <= ${clock.now()}
        and not exists (
          select from dialogs.inbox i
          where i.workspace_id = d.workspace_id and i.bot = d.bot and i.chat_id = d.chat_id and i.done_at is null)
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

  async function isDue(): Promise<boolean> {
    const due = await nextDue(deps);
    return due !== null && due <= clock.now();
  }

  const worker = createWorker<Job>({
    name: `dialogs ${key.bot}`,
    log,
    trouble: "conversations could not be worked on",
    notices: {
      sql,
      channel: "molva_dialogs",
      heard(note) {
        const isOthers = note.startsWith(noteOf(key, "")) && note !== noteOf(key, me);
        const isMine = note === "" || note === noteOf(key) || isOthers;
        mayWait ||= isMine;
        return isMine;
      },
    },
    // As many steps as long work, so that neither waits for the other.
    places: 2 * concurrency,
    safetyNetMs,
    timer: settings.timer,
    round,
    async run(job, signal) {
      if ("talkTo" in job) return talk(job.talkTo);
      const chatId = "fileId" in job ? job.chatId : job.chat_id;
      try {
        const shows =
          "fileId" in job ? await fetchAndHandle(job, signal, deps) : await doWork(job, signal, deps);
        await show(chatId, deps, shows);
      } catch (error) {
        // The lease ends, and the work is tried again; other chats do not wait for it.
        log.error({ err: error, chat: chatId }, "work could not be ended");
      }
    },
  });

  return {
    name: worker.name,
    async start() {
      await worker.start();
      isRunning = true;
    },
    async stop() {
      isRunning = false;
      await worker.stop();
    },
    async receive(updates) {
      // Read once: the engine may be stopped meanwhile, and then others have to hear of the updates.
      if (isRunning) hand(await receive(updates, deps, me));
      else await receive(updates, deps);
    },
    async settle() {
      settling = true;
      try {
        let restMs: number;
        do {
          restMs = await worker.round();
          await worker.drained();
        } while (restMs === 0 && (await isDue()));
      } finally {
        settling = false;
      }
    },
  };
}
