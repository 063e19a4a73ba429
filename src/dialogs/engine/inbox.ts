/** Incoming updates: each is stored once by its number, and handled in order, one chat at a time. */
import { cut } from "../../kernel/words/index.ts";
import type { MessageRef } from "../flow/flow.ts";
import { type Update, updateShape } from "../messenger.ts";
import { answerUpdate, type Decision, type Fetched, longestText } from "./answer-update.ts";
import { commitStep } from "./commit.ts";
import { type EngineDeps, later, situationOf } from "./deps.ts";
import { type BotKey, type Dialogue, lockDialogue, type Next, saveDialogue, storable } from "./dialogue.ts";
import { forgetFiles } from "./files.ts";
import { sceneOfKept } from "./kept.ts";
import { counted } from "./pace.ts";
import { isSecret } from "./secrets.ts";
import { homeAddress, sceneOf } from "./situation.ts";
import { enter, rest } from "./steps.ts";
import type { Unshown } from "./unshown.ts";

/** After this many failures an update is dropped, so that it does not block its chat for ever. */
const tries = 3;

/**
 * Stores updates and skips known ones. Once this returns, none of them is lost. Returns the chats of the new ones. The engine
 * that passes its name as `by` handles them itself and does not hear of them. One statement, because every tap waits for it.
 */
export async function receive(
  updates: readonly Update[],
  { sql, key, clock }: Pick<EngineDeps<unknown>, "sql" | "key" | "clock">,
  by?: string,
): Promise<string[]> {
  if (updates.length === 0) return [];
  const { workspaceId, bot } = key;
  const rows = updates.map(shortened).map((body) => {
    const { id, chatId, userId, language } = body;
    return { id, chatId, userId, language, body };
  });
  const stored = await sql<{ chat_id: string }[]>`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
        as one(id bigint, "chatId" text, "userId" text, language text, body jsonb)),
    known as (
      insert into dialogs.dialogues (workspace_id, bot, chat_id, user_id, language)
      select distinct on ("chatId") ${workspaceId}::uuid, ${bot}, "chatId", "userId", language from given order by "chatId"
      on conflict (workspace_id, bot, chat_id) do update set blocked_at = null where dialogues.blocked_at is not null),
    stored as (
      insert into dialogs.inbox (workspace_id, bot, update_id, chat_id, body, received_at)
      select ${workspaceId}::uuid, ${bot}, id, "chatId", body, ${clock.now()} from given
      on conflict (workspace_id, bot, update_id) do nothing
      returning chat_id)
    select chat_id from stored, (select pg_notify('molva_dialogs', ${noteOf(key, by)})) told`;
  return stored.map(({ chat_id }) => chat_id);
}

/** The notification by which the engines of this bot recognise updates that wait for one of them. */
export function noteOf({ workspaceId, bot }: BotKey, by?: string): string {
  return by === undefined ? `${workspaceId}/${bot}` : `${workspaceId}/${bot} ${by}`;
}

/** Chats with waiting updates, those that waited longest first, without the `busy` ones. */
export async function chatsWaiting<Services>(
  { sql, key: { workspaceId, bot }, clock }: EngineDeps<Services>,
  limit: number,
  busy: readonly string[] = [],
): Promise<string[]> {
  const rows = await sql<{ chat_id: string }[]>`
    select chat_id from (
      select distinct on (chat_id) chat_id, update_id, not_before from dialogs.inbox
      where workspace_id = ${workspaceId} and bot = ${bot} and done_at is null and chat_id <> all(${[...busy]}::text[])
      order by chat_id, update_id) first
    where not_before is null or not_before <= ${clock.now()}
    order by update_id limit ${limit}`;
  return rows.map(({ chat_id }) => chat_id);
}

/** A file that an update's step needs; the update waits for it. */
export interface Wanted {
  readonly chatId: string;
  readonly fileId: string;
  readonly bytes: number;
}

/** The step is taken; its tap is being answered beside what is shown. */
export interface Handled {
  readonly told: Promise<void>;
  /** The screen to show, leased by this process; undefined if another process shows one. */
  readonly shows: Unshown | undefined;
}

/**
 * Handles a chat's oldest update; undefined if there is none. The step and the mark that it is done are one commit. If the step
 * needs a file first, nothing changes, and no process looks at the chat before the lease ends.
 */
export async function handleNext<Services>(
  chatId: string,
  deps: EngineDeps<Services>,
  fetched?: Fetched,
): Promise<Handled | Wanted | undefined> {
  let taken: Update | undefined;
  try {
    const decision = await deps.sql.begin(async (tx) => {
      // Sent together and answered one after the other: the update is read under the lock.
      const [known, waiting] = await Promise.all([lockDialogue(tx, deps.key, chatId), oldest()]);
      if (!known || !waiting) return undefined;
      const { update, received } = waiting;
      taken = update;
      const pace = deps.pace && !isOutside(update) ? counted(known, deps.pace, received) : {};
      if (!pace) {
        await done(update, deps.clock.now());
        return { shows: undefined };
      }
      const dialogue = { ...known, ...pace };
      // An event does not tell the person's language.
      const { language } = isOutside(update) ? dialogue : update;
      const message = messageOf(update);
      const { person } = update;
      const circumstances = { wrote: message !== undefined, language, message, received, person };
      const situation = situationOf(tx, dialogue, circumstances, deps);
      // Begun first, so its statement is sent before those of the step; nobody waits for its answer alone.
      const met = isOutside(update) ? undefined : deps.meet?.(situation.visit, update);
      const [answer] = await Promise.all([answerUpdate(update, situation, fetched), met]);
      if (answer.fetch) {
        await waitForFile(update);
        return { ...answer, shows: undefined };
      }
      const [step] = await Promise.all([
        answer.next && commitStep(tx, situation, answer.next, deps, { shows: true }),
        !answer.next && answer.again && showAgain(update),
        !answer.next && deps.pace && noteCount(dialogue),
        done(update, situation.moment.now, answer.removeMessage),
      ]);
      return { ...answer, ...(step?.toast !== undefined && { toast: step.toast }), shows: step?.shows };

      /** A secret is not kept with the updates, either. */
      async function done({ id }: Update, at: Date, hides = false): Promise<void> {
        await tx`
          update dialogs.inbox set done_at = ${at}, body = case when ${hides} then '{}' else body end
          where workspace_id = ${deps.key.workspaceId} and bot = ${deps.key.bot} and update_id = ${id}`;
      }

      async function noteCount({ minute_began, minute_count }: Dialogue): Promise<void> {
        await tx`
          update dialogs.dialogues set minute_began = ${minute_began}, minute_count = ${minute_count}
          where workspace_id = ${deps.key.workspaceId} and bot = ${deps.key.bot} and chat_id = ${chatId}`;
      }

      async function oldest(): Promise<{ update: Update; received: Date } | undefined> {
        const [row] = await tx<{ body: unknown; received_at: Date }[]>`
          select body, received_at from dialogs.inbox
          where workspace_id = ${deps.key.workspaceId} and bot = ${deps.key.bot} and chat_id = ${chatId}
            and done_at is null
          order by update_id limit 1`;
        return row && { update: updateShape.parse(row.body), received: row.received_at };
      }

      async function waitForFile({ id }: Update): Promise<void> {
        await tx`
          update dialogs.inbox set not_before = ${later(deps.clock.now(), fetchLeaseMs)}
          where workspace_id = ${deps.key.workspaceId} and bot = ${deps.key.bot} and update_id = ${id}`;
      }

      /** In the live message, or in a new one if the tap came from another message. */
      async function showAgain({ messageId }: Update): Promise<void> {
        await tx`
          update dialogs.dialogues set shown_revision = least(shown_revision, revision - 1),
            live_message_id = case when live_message_id = ${messageId ?? null} then live_message_id end
          where workspace_id = ${deps.key.workspaceId} and bot = ${deps.key.bot} and chat_id = ${chatId}
            and screen is not null`;
      }
    });
    if (!decision || !taken) return undefined;
    if (decision.fetch) return { chatId, ...decision.fetch };
    return { told: tell(taken, decision, deps), shows: decision.shows };
  } catch (error) {
    if (!taken) throw error;
    deps.log.error({ err: error, bot: deps.key.bot, update: taken.id }, "an update could not be worked on");
    await putOff(taken, deps);
    return undefined;
  }
}

/** Fetches the file that a step needs, and takes the step. The chat waits, other chats do not. Returns the screen to show. */
export async function fetchAndHandle<Services>(
  { chatId, fileId, bytes }: Wanted,
  signal: AbortSignal,
  deps: EngineDeps<Services>,
): Promise<Unshown | undefined> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(fetchLeaseMs - spareMs)]);
  let file: Fetched["file"];
  try {
    file = await deps.messenger.download(fileId, { bytes }, within);
  } catch (error) {
    deps.log.warn({ err: error, bot: deps.key.bot }, "a file did not come");
    const [row] = await deps.sql<{ body: unknown }[]>`
      select body from dialogs.inbox
      where workspace_id = ${deps.key.workspaceId} and bot = ${deps.key.bot} and chat_id = ${chatId} and done_at is null
      order by update_id limit 1`;
    // Being stopped is not a failure: another process fetches it after the lease.
    if (row && !signal.aborted) await putOff(updateShape.parse(row.body), deps);
    return undefined;
  }
  const handled = await handleNext(chatId, deps, { fileId, file });
  if (!handled || !("told" in handled)) return undefined;
  await handled.told;
  return handled.shows;
}

/** How long a process may take for a file of 20 MB; after that, another one tries. */
const fetchLeaseMs = 60_000;
const spareMs = 10_000;

/** Undefined for a tap, whose message is the bot's own, and for what did not come from the person. */
function messageOf(update: Update): MessageRef | undefined {
  const { kind, id, messageId = String(id), replyTo } = update;
  return kind === "press" || isOutside(update) ? undefined : { id: messageId, replyTo };
}

function isOutside({ kind }: Update): boolean {
  return kind === "event" || kind === "wake";
}

/**
 * Answers the update itself; the screen is shown separately, because it must be shown even if the process dies here.
 */
async function tell<Services>(update: Update, decision: Decision, { messenger, log }: EngineDeps<Services>) {
  try {
    if (update.kind === "press") await messenger.answer(update.pressId, decision.toast);
    if (decision.removeMessage && update.messageId !== undefined)
      await messenger.remove(update.chatId, update.messageId);
  } catch (error) {
    log.warn({ err: error }, "a person could not be answered at once");
  }
}

async function putOff<Services>(update: Update, deps: EngineDeps<Services>): Promise<void> {
  const { sql, key, clock } = deps;
  const now = clock.now();
  const end = await sql.begin(async (tx) => {
    const dialogue = await lockDialogue(tx, key, update.chatId);
    const [row] = await tx<{ failures: number }[]>`
      update dialogs.inbox set failures = failures + 1, not_before = ${now}::timestamptz + interval '1 second' * (failures + 1)
      where workspace_id = ${key.workspaceId} and bot = ${key.bot} and update_id = ${update.id} and done_at is null
      returning failures`;
    if (!dialogue || !row || row.failures < tries) return undefined;
    const situation = situationOf(tx, dialogue, { wrote: true }, deps);
    const { moment } = situation;
    const removeMessage = isSecret(update, situation);
    await tx`
      update dialogs.inbox set done_at = ${now}, body = case when ${removeMessage} then '{}' else body end
      where workspace_id = ${key.workspaceId} and bot = ${key.bot} and update_id = ${update.id}`;
    const scene = sceneOf(dialogue, deps.flows);
    const notice = moment.say.trouble;
    // Shown without what may have failed: preparations, screens, looks.
    const next = scene ? enter(scene, moment, { notice }, dialogue.work_id) : troubled(notice, moment, deps);
    await saveDialogue(tx, dialogue, next, deps);
    return { removeMessage };
  });
  if (end) await tell(update, end, deps);
}

/** With a way on, if the home is a screen. */
function troubled<Services>(
  notice: string,
  moment: Parameters<typeof rest<Services>>[1],
  { home }: EngineDeps<Services>,
): Next {
  const resting = rest(notice, moment);
  const address = homeAddress(home);
  if (address === undefined) return resting;
  const rows = [[{ label: moment.say.home, payload: address }]];
  return { ...resting, screen: { ...resting.screen, rows } };
}

const hour = 3_600_000;
/** Updates are kept twice as long as a messenger may repeat them; the last texts of an abandoned dialogue for 30 days. */
const kept = { updatesMs: 48 * hour, wordsMs: 30 * 24 * hour } as const;

export async function forgetOld<Services>(deps: EngineDeps<Services>): Promise<void> {
  const { sql, key, clock } = deps;
  const now = clock.now();
  await forgetFiles(deps, kept.updatesMs);
  await forgetKept(deps);
  await sql`
    delete from dialogs.inbox where workspace_id = ${key.workspaceId} and bot = ${key.bot}
      and done_at < ${later(now, -kept.updatesMs)}`;
  await sql`
    update dialogs.dialogues set screen = null, says = '[]'
    where workspace_id = ${key.workspaceId} and bot = ${key.bot}
      and flow is null and screen is not null and updated_at < ${later(now, -kept.wordsMs)}`;
}

/** Flows whose time to be resumed is over give back what they hold. */
async function forgetKept<Services>(deps: EngineDeps<Services>): Promise<void> {
  const { sql, key, clock } = deps;
  const rows = await sql<{ chat_id: string; flow: string }[]>`
    select chat_id, flow from dialogs.kept
    where workspace_id = ${key.workspaceId} and bot = ${key.bot} and kept_until <= ${clock.now()} limit 1000`;
  for (const { chat_id, flow } of rows) {
    try {
      await sql.begin(async (tx) => {
        const dialogue = await lockDialogue(tx, key, chat_id);
        if (!dialogue) return;
        const { keeping, turn, moment } = situationOf(tx, dialogue, { wrote: false }, deps);
        const row = await keeping.take(flow);
        const scene = row && sceneOfKept(row, moment.flows);
        await scene?.flow.leave?.(turn(scene.data), "expired");
      });
    } catch (error) {
      deps.log.error({ err: error, bot: key.bot, flow }, "a kept flow could not be left");
    }
  }
}

function shortened(update: Update): Update {
  if (update.kind === "text") return { ...update, text: cut(storable(update.text), longestText + 1) };
  if (update.kind === "command")
    return { ...update, argument: storable(update.argument.slice(0, longestText)) };
  if (update.kind === "press") return { ...update, payload: storable(update.payload.slice(0, 1_000)) };
  return JSON.parse(
    JSON.stringify(update, (_, inner: unknown) =>
      typeof inner === "string" ? storable(inner.slice(0, longestText)) : inner,
    ),
  );
}
