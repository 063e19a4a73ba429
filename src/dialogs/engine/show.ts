/** Brings a chat to its current screen. The dialogue stores what to show, so this may be repeated at any time. */
import type { Sql } from "../../kernel/db/index.ts";
import type { Invoice } from "../flow/invoice.ts";
import type { Outgoing, Screen, Shown } from "../messenger.ts";
import { type EngineDeps, later } from "./deps.ts";
import { fetchFile, type StoredSource } from "./files.ts";
import { readUnshown, type SaidFile, type Unshown } from "./unshown.ts";

const afterFaultMs = 2_000;

/**
 * One process at a time, the newest screen only. Never throws because of a messenger. A step that has leased its screen passes
 * it as `leased`.
 */
export async function show<Services>(
  chatId: string,
  deps: EngineDeps<Services>,
  leased?: Unshown | undefined,
): Promise<void> {
  let row = leased ?? (await take(chatId, deps));
  while (row) {
    const shown: Placed = await held(chatId, deps, attempt(chatId, row, deps));
    if (shown.kind === "later" || shown.kind === "gone")
      return wait(chatId, shown.kind === "later" ? shown.afterMs : afterFaultMs, deps);
    if (shown.kind === "never")
      deps.log.info({ bot: deps.key.bot, reason: shown.reason }, "a chat cannot be written to");
    const isNewer = await record(chatId, row, shown.kind === "shown" ? shown : null, deps);
    row = isNewer ? await take(chatId, deps) : undefined;
  }
}

/** Renews the lease while the messenger takes its time. */
async function held<Services, Result>(
  chatId: string,
  { sql, key, clock, leaseMs, log }: EngineDeps<Services>,
  showing: Promise<Result>,
): Promise<Result> {
  const beat = setInterval(() => {
    sql`
      update dialogs.dialogues set showing_until = ${later(clock.now(), leaseMs)}
      where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${chatId}
        and showing_until is not null`.catch((error: unknown) =>
      log.warn({ err: error }, "the lease of a screen could not be renewed"),
    );
  }, leaseMs / 3);
  try {
    return await showing;
  } finally {
    clearInterval(beat);
  }
}

/** Chats whose screen is outdated and that no process is showing. */
export async function chatsUnshown<Services>({ sql, key, clock }: EngineDeps<Services>, limit: number) {
  const rows = await sql<{ chat_id: string }[]>`
    select chat_id from dialogs.dialogues
    where workspace_id = ${key.workspaceId} and bot = ${key.bot} and shown_revision < revision
      and screen is not null and (showing_until is null or showing_until <= ${clock.now()})
    limit ${limit}`;
  return rows.map(({ chat_id }) => chat_id);
}

/**
 * The statement is not waited for on the disk: after a crash of the database a screen is shown once more, which the person
 * does not notice. Steps and updates are waited for.
 */
function unhurried(sql: Sql) {
  return sql`(select set_config('synchronous_commit', 'off', true)) is not null`;
}

async function take<Services>(
  chatId: string,
  { sql, key, clock, leaseMs }: EngineDeps<Services>,
): Promise<Unshown | undefined> {
  const now = clock.now();
  const [row] = await sql`
    update dialogs.dialogues set showing_until = ${later(now, leaseMs)}
    where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${chatId}
      and shown_revision < revision and screen is not null and (showing_until is null or showing_until <= ${now})
      and ${unhurried(sql)}
    returning revision, language, screen, says, live_message_id, live_picture, live_screen`;
  return row && readUnshown(row);
}

/** How a screen was shown: with its picture, unless that was not to be had. */
type Placed = Shown & { readonly pictured?: boolean };

async function attempt<Services>(chatId: string, row: Unshown, deps: EngineDeps<Services>): Promise<Placed> {
  const { messenger, log } = deps;
  try {
    for (const words of row.says) {
      const said =
        "invoice" in words
          ? await bill(chatId, words.invoice, deps)
          : "text" in words
            ? await messenger.send(chatId, { ...words, rows: words.rows ?? [] })
            : await sendFile(chatId, words, row, deps);
      if (said.kind !== "shown") return said;
      await dropSaid(chatId, "text" in words || "invoice" in words ? [] : sourcesOf(words), deps);
    }
    return await place(chatId, row, deps);
  } catch (error) {
    log.warn({ err: error, bot: deps.key.bot }, "a screen could not be shown");
    return { kind: "later", afterMs: afterFaultMs };
  }
}

/** An invoice that the messenger refuses for good is skipped: the screen after it must still be shown. */
async function bill<Services>(
  chatId: string,
  invoice: Invoice,
  { messenger, log, key }: EngineDeps<Services>,
): Promise<Shown> {
  const shown = await messenger.invoice?.(chatId, invoice);
  if (shown && shown.kind !== "gone") return shown;
  log.error({ bot: key.bot, payload: invoice.payload }, "an invoice could not be sent");
  return { kind: "shown", messageId: "" };
}

/** A file that is not there, or that the messenger refuses for good, is replaced by its caption and a word about it. */
async function sendFile<Services>(
  chatId: string,
  said: SaidFile,
  { language }: Unshown,
  deps: EngineDeps<Services>,
): Promise<Shown> {
  const { messenger, log, key } = deps;
  const outgoing = await outgoingOf(said, deps);
  const shown = outgoing && (await messenger.sendFile(chatId, outgoing));
  if (shown && shown.kind !== "gone") return shown;
  log.error({ bot: key.bot }, "a file could not be sent");
  return messenger.send(chatId, { text: deps.texts[language].fileTrouble, marks: [], rows: [] });
}

async function outgoingOf<Services>(
  said: SaidFile,
  deps: EngineDeps<Services>,
): Promise<Outgoing | undefined> {
  if ("album" in said) {
    const found = await Promise.all(
      said.album.map(async ({ photo, caption }) => ({ file: await fetchFile(photo, deps), caption })),
    );
    const photos = found.flatMap(({ file, caption }) => (file ? [{ file, caption }] : []));
    const [only, another] = photos;
    // An album has at least two; one photo is a photo.
    return another ? { kind: "album", photos } : only && { kind: "photo", ...only };
  }
  const file = await fetchFile("photo" in said ? said.photo : said.document, deps);
  if (!file) return undefined;
  return "photo" in said
    ? { kind: "photo", file, caption: said.caption }
    : { kind: "document", file, name: said.name, caption: said.caption };
}

function sourcesOf(said: SaidFile): StoredSource[] {
  if ("album" in said) return said.album.map(({ photo }) => photo);
  return ["photo" in said ? said.photo : said.document];
}

async function place<Services>(chatId: string, row: Unshown, deps: EngineDeps<Services>): Promise<Placed> {
  const { messenger } = deps;
  const { fresh: own, handed, removes, lasting: _, picture: source, ...words } = row.screen;
  const fresh = own || handed;
  const picture = source && (await fetchFile(source, deps));
  const screen: Screen = { ...words, ...(picture && { picture }) };
  const pictured = picture !== undefined;
  const live = row.live_message_id;
  // A message with a picture cannot become one without, so it is replaced.
  const turns = live !== null && row.live_picture !== pictured;
  if (live !== null && !fresh && !turns) {
    const edited = await messenger.edit(chatId, live, screen);
    if (edited.kind !== "gone") return { ...edited, pictured };
    return send();
  }
  const sent = await send();
  if (sent.kind !== "shown" || live === null) return sent;
  if (removes || (turns && !fresh)) await messenger.remove(chatId, live);
  else if (!row.live_screen) await messenger.retire(chatId, live);
  return sent;

  async function send(): Promise<Placed> {
    const sent = await messenger.send(chatId, screen);
    if (sent.kind !== "gone" || !pictured) return { ...sent, pictured };
    // The picture is refused for good: the words must still be shown.
    return { ...(await messenger.send(chatId, { ...words })), pictured: false };
  }
}

async function dropSaid<Services>(
  chatId: string,
  sources: readonly StoredSource[],
  { sql, key }: EngineDeps<Services>,
): Promise<void> {
  const files = sources.flatMap((source) => ("file" in source ? [source.file] : []));
  await sql`
    update dialogs.dialogues set says = says - 0
    where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${chatId}`;
  if (files.length > 0) await sql`delete from dialogs.files where file_id = any(${files}::uuid[])`;
}

/**
 * Nothing was shown if the chat cannot be written to: then the keyboard has to be sent again, too. Returns whether there is a
 * newer screen.
 */
async function record<Services>(
  chatId: string,
  row: Unshown,
  shown: { readonly messageId: string; readonly pictured?: boolean } | null,
  { sql, key }: EngineDeps<Services>,
): Promise<boolean> {
  const isLost = shown === null;
  const [recorded] = await sql<{ newer: boolean }[]>`
    update dialogs.dialogues set
      shown_revision = ${row.revision}, showing_until = null,
      -- A tap on an older message has made that the live one meanwhile.
      live_message_id = case when live_message_id is distinct from ${row.live_message_id} and revision > ${row.revision}
        then live_message_id else ${shown?.messageId ?? null} end,
      live_picture = ${shown?.pictured ?? false}, live_screen = ${row.screen.lasting},
      says = case when ${isLost} then '[]' else says end,
      keyboard = case when ${isLost} then null else keyboard end,
      screen = screen || jsonb_build_object(
        'fresh', revision > ${row.revision} and (screen->>'fresh')::boolean, 'handed', false)
    where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${chatId} and ${unhurried(sql)}
    returning revision > ${row.revision} as newer`;
  return recorded?.newer ?? false;
}

async function wait<Services>(
  chatId: string,
  ms: number,
  { sql, key, clock }: EngineDeps<Services>,
): Promise<void> {
  await sql`
    update dialogs.dialogues set showing_until = ${later(clock.now(), ms)}
    where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${chatId}`;
}
