/** Brings a chat to its current screen. The dialogue stores what to show, so this may be repeated at any time. */
import { z } from "zod";
import { styles } from "../flow/flow.ts";
import { type Invoice, invoiceShape } from "../flow/invoice.ts";
import { formattedShape } from "../flow/text.ts";
import type { Outgoing, Screen, Shown } from "../messenger.ts";
import { texts } from "../texts/index.ts";
import { type EngineDeps, later } from "./deps.ts";
import { fetchFile, type StoredSource, sourceShape } from "./files.ts";

const style = z.enum(styles).optional();
const rowsShape = z.array(
  z.array(
    z.object({
      label: z.string(),
      payload: z.string().optional(),
      url: z.string().optional(),
      copy: z.string().optional(),
      style,
    }),
  ),
);
const keyboardShape = z.array(z.array(z.object({ label: z.string(), style })));
const photoShape = z.object({ photo: sourceShape, caption: formattedShape });
const saidFileShape = z.union([
  photoShape,
  z.object({ document: sourceShape, name: z.string(), caption: formattedShape }),
  z.object({ album: z.array(photoShape) }),
]);
type SaidFile = z.infer<typeof saidFileShape>;
const rowShape = z.object({
  revision: z.number(),
  language: z.enum(["ru", "en"]),
  screen: formattedShape.extend({
    rows: rowsShape,
    picture: sourceShape.optional(),
    fresh: z.boolean(),
    /** The former screen is deleted when this one is sent. */
    removes: z.boolean().default(false),
    /** Its buttons work for ever, so they stay when the next screen is sent. */
    lasting: z.boolean().default(false),
  }),
  says: z.array(
    z.union([
      z.object({ invoice: invoiceShape }),
      saidFileShape,
      formattedShape.extend({ rows: rowsShape.optional(), keyboard: keyboardShape.optional() }),
    ]),
  ),
  live_message_id: z.string().nullable(),
  live_picture: z.boolean(),
  live_screen: z.boolean(),
});
type Row = z.infer<typeof rowShape>;

const afterFaultMs = 2_000;

/** One process at a time, the newest screen only. Never throws because of a messenger. */
export async function show<Services>(chatId: string, deps: EngineDeps<Services>): Promise<void> {
  for (let row = await take(chatId, deps); row; row = await take(chatId, deps)) {
    const shown: Placed = await attempt(chatId, row, deps);
    if (shown.kind === "shown") await record(chatId, row, shown, deps);
    else if (shown.kind === "never") {
      deps.log.info({ bot: deps.key.bot, reason: shown.reason }, "a chat cannot be written to");
      await record(chatId, row, null, deps);
    } else return wait(chatId, shown.kind === "later" ? shown.afterMs : afterFaultMs, deps);
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

async function take<Services>(
  chatId: string,
  { sql, key, clock, leaseMs }: EngineDeps<Services>,
): Promise<Row | undefined> {
  const now = clock.now();
  const [row] = await sql`
    update dialogs.dialogues set showing_until = ${later(now, leaseMs)}
    where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${chatId}
      and shown_revision < revision and screen is not null and (showing_until is null or showing_until <= ${now})
    returning revision, language, screen, says, live_message_id, live_picture, live_screen`;
  return row && rowShape.parse(row);
}

/** How a screen was shown: with its picture, unless that was not to be had. */
type Placed = Shown & { readonly pictured?: boolean };

async function attempt<Services>(chatId: string, row: Row, deps: EngineDeps<Services>): Promise<Placed> {
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
  { language }: Row,
  deps: EngineDeps<Services>,
): Promise<Shown> {
  const { messenger, log, key } = deps;
  const outgoing = await outgoingOf(said, deps);
  const shown = outgoing && (await messenger.sendFile(chatId, outgoing));
  if (shown && shown.kind !== "gone") return shown;
  log.error({ bot: key.bot }, "a file could not be sent");
  return messenger.send(chatId, { text: texts[language].fileTrouble, marks: [], rows: [] });
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

async function place<Services>(chatId: string, row: Row, deps: EngineDeps<Services>): Promise<Placed> {
  const { messenger } = deps;
  const { fresh, removes, lasting: _, picture: source, ...words } = row.screen;
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

/** Nothing was shown if the chat cannot be written to: then the keyboard has to be sent again, too. */
async function record<Services>(
  chatId: string,
  row: Row,
  shown: { readonly messageId: string; readonly pictured?: boolean } | null,
  { sql, key }: EngineDeps<Services>,
) {
  const isLost = shown === null;
  await sql`
    update dialogs.dialogues set
      shown_revision = ${row.revision}, showing_until = null,
      -- A tap on an older message has made that the live one meanwhile.
      live_message_id = case when live_message_id is distinct from ${row.live_message_id} and revision > ${row.revision}
        then live_message_id else ${shown?.messageId ?? null} end,
      live_picture = ${shown?.pictured ?? false}, live_screen = ${row.screen.lasting},
      says = case when ${isLost} then '[]' else says end,
      keyboard = case when ${isLost} then null else keyboard end,
      screen = screen || jsonb_build_object('fresh', revision > ${row.revision} and (screen->>'fresh')::boolean)
    where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${chatId}`;
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
