import { z } from "zod";
import type {
  CheckContext,
  Compiled,
  CompiledMedia,
  CompiledRequest,
  CorrectionRefusal,
  CorrectionRules,
  Outcome,
  Posted,
  SendError,
} from "../contract.ts";
import { ifReadable } from "../if-readable.ts";
import { sameJson } from "../same-json.ts";
import { afterTheFirst } from "../send-series.ts";
import { withToken } from "../token-credential.ts";
import { type Connection, call, type TelegramSettings } from "./client.ts";
import { deletableMs, deletedAtOnce } from "./limits.ts";
import { mayShareAlbum } from "./media.ts";
import { sendMedia } from "./send-media.ts";
import { sendText } from "./send-text.ts";
import { chatIdOf } from "./target.ts";

/** What Telegram certainly refuses. A bot's own posts can be changed at any age. */
export function corrections(settings: TelegramSettings): CorrectionRules {
  return {
    editRefusal: (posted, next) => idsRefusal(posted) ?? shapeRefusal(posted.compiled, next),
    removeRefusal: idsRefusal,
    removeCheck: (posted, context) => lateRefusal(posted, context, settings),
  };
}

/** Only the group id of an album is known if the process died after acknowledging its request. */
function idsRefusal({ compiled, providerMessageIds }: Posted): CorrectionRefusal | undefined {
  const messages = compiled.requests.reduce((sum, { media }) => sum + Math.max(1, media.length), 0);
  if (providerMessageIds.length === messages && providerMessageIds.every((id) => /^\d+$/.test(id)))
    return undefined;
  return { code: "message_ids_unknown", message: "Telegram's numbers of some messages are not on record" };
}

function shapeRefusal(old: Compiled, next: Compiled): CorrectionRefusal | undefined {
  if (next.requests.length > old.requests.length)
    return {
      code: "more_messages",
      message: "the new post needs more messages than the old one has, and Telegram cannot insert one",
    };
  for (const [index, { media }] of next.requests.entries()) {
    const before = old.requests[index]?.media ?? [];
    if (before.length !== media.length && Math.max(before.length, media.length) > 1)
      return {
        code: "album_size",
        message: "Telegram can neither add pictures to an album nor take them out",
      };
    if (before.length > media.length)
      return { code: "media_to_text", message: "Telegram cannot take the file off a post" };
    const isAlbum = media.length > 1;
    if (isAlbum && media.some(({ kind }, place) => !mayShareAlbum(kind, before[place]?.kind ?? kind)))
      return {
        code: "album_kind",
        message: "Telegram keeps an album's pictures, sounds or files of one kind",
      };
  }
  return undefined;
}

const memberShape = z.object({ status: z.string(), can_delete_messages: ifReadable(z.boolean()) });

/** After two days, deleting requires the right to delete messages, which does not exist in a chat with a person. */
async function lateRefusal(
  { sentAt }: Posted,
  context: CheckContext,
  settings: TelegramSettings,
): Promise<CorrectionRefusal | undefined> {
  if (context.clock.now().getTime() - sentAt.getTime() <= deletableMs) return undefined;
  const chat_id = chatIdOf(context.channel.targetId);
  if (typeof chat_id === "number" && chat_id > 0) return tooLate;
  const connection = { settings, context: withToken(context) };
  const user_id = Number(/^\d+/.exec(connection.context.token)?.[0]);
  const reply = await call("getChatMember", { json: { chat_id, user_id } }, memberShape, connection);
  if (reply.kind !== "ok") return undefined;
  const { status, can_delete_messages } = reply.result;
  return status === "creator" || can_delete_messages ? undefined : tooLate;
}

const tooLate: CorrectionRefusal = {
  code: "delete_too_late",
  message: "after 48 hours Telegram lets a bot delete its post only with the right to delete messages",
};

/** Edits the changed messages one by one, then deletes those that are no longer needed. */
export async function edit(next: Compiled, posted: Posted, connection: Connection): Promise<Outcome> {
  const { context } = connection;
  const paced = {
    ...connection,
    context: { ...context, turn: afterTheFirst(context.turn) },
  };
  const ids = idsByRequest(posted);
  for (const change of changesOf(next, posted, ids)) {
    const carry = change.media.length > 0 ? sendMedia : sendText;
    const outcome = await carry(change, paced);
    if (outcome.kind === "sent" || /message is not modified/i.test(outcome.error.message)) continue;
    return { ...outcome, error: inCorrection(outcome.error) };
  }
  const missed = await takeDown(ids.slice(next.requests.length).flat(), paced);
  return missed ?? done(ids.slice(0, next.requests.length));
}

export async function remove(posted: Posted, connection: Connection): Promise<Outcome> {
  const { context } = connection;
  const paced = { ...connection, context: { ...context, turn: afterTheFirst(context.turn) } };
  return (await takeDown([...posted.providerMessageIds], paced)) ?? done(idsByRequest(posted));
}

/** The messages of each request, in order. */
function idsByRequest({ compiled, providerMessageIds }: Posted): string[][] {
  const left = [...providerMessageIds];
  return compiled.requests.map(({ media }) => left.splice(0, Math.max(1, media.length)));
}

/**
 * The calls that turn the old messages into the new ones. If the old ones may differ from the record, all are
 * rewritten.
 */
function changesOf(
  next: Compiled,
  { compiled: old, mayDiffer = false }: Posted,
  ids: readonly (readonly string[])[],
): CompiledRequest[] {
  return next.requests.flatMap((request, index) => {
    const before = old.requests[index];
    const parts = partsOf(request);
    const partsBefore = before ? partsOf(before) : [];
    return parts.flatMap((part, place) => {
      const partBefore = mayDiffer ? undefined : partsBefore[place];
      if (partBefore && sameJson(partBefore, part)) return [];
      return changeOf(part, Number(ids[index]?.[place]), partBefore);
    });
  });
}

/** One message of a post. */
interface Part {
  readonly media?: CompiledMedia;
  /** Text or caption with its formatting. */
  readonly words: Readonly<Record<string, unknown>>;
  readonly markup: Readonly<Record<string, unknown>>;
}

const textFields = ["text", "entities", "parse_mode", "link_preview_options"];
const captionFields = ["caption", "caption_entities", "parse_mode"];
const pick = (body: Readonly<Record<string, unknown>>, fields: readonly string[]) =>
  Object.fromEntries(fields.flatMap((field) => (field in body ? [[field, body[field]]] : [])));

/** What can be changed of a request. Notification, reply and topic stay as they were. */
function partsOf({ body, media }: CompiledRequest): Part[] {
  const markup = pick(body, ["reply_markup"]);
  const [only, ...more] = media;
  if (!only) return [{ words: pick(body, textFields), markup }];
  if (more.length === 0) return [{ media: only, words: pick(body, captionFields), markup }];
  const items = z.array(z.record(z.string(), z.unknown())).parse(body.media);
  return media.map((item, place) => ({
    media: item,
    words: pick(items[place] ?? {}, captionFields),
    markup: {},
  }));
}

function changeOf(
  { media, words, markup }: Part,
  message_id: number,
  before: Part | undefined,
): CompiledRequest {
  if (!media)
    return { method: "editMessageText", body: { message_id, ...words, ...markup }, text: "", media: [] };
  if (before?.media && sameJson(before.media, media))
    return { method: "editMessageCaption", body: { message_id, ...words, ...markup }, text: "", media: [] };
  const item = { type: media.kind, ...words };
  return {
    method: "editMessageMedia",
    body: { message_id, media: item, ...markup },
    text: "",
    media: [media],
  };
}

/** Messages that no longer exist are skipped. Returns the error, if any. */
async function takeDown(
  ids: readonly string[],
  connection: Connection,
): Promise<Exclude<Outcome, { kind: "sent" }> | undefined> {
  const chat_id = chatIdOf(connection.context.channel.targetId);
  for (let first = 0; first < ids.length; first += deletedAtOnce) {
    const numbers = ids.slice(first, first + deletedAtOnce).map(Number);
    const [only, ...more] = numbers;
    await connection.context.turn?.();
    const reply =
      more.length === 0
        ? await call("deleteMessage", { json: { chat_id, message_id: only } }, z.literal(true), connection)
        : await call(
            "deleteMessages",
            { json: { chat_id, message_ids: numbers } },
            z.literal(true),
            connection,
          );
    if (reply.kind === "ok" || /message to delete not found/i.test(reply.error.message)) continue;
    return { ...reply, error: inCorrection(reply.error) };
  }
  return undefined;
}

const refused = { category: "PERMANENT", scope: "delivery" } as const;

/** Refusals of a correction by their meaning; all others are classified as in sending. */
const meanings: readonly { readonly text: RegExp; readonly code: string }[] = [
  { text: /message to edit not found|MESSAGE_ID_INVALID/i, code: "message_gone" },
  {
    text: /message can't be edited|MESSAGE_EDIT_TIME_EXPIRED|MESSAGE_AUTHOR_REQUIRED/i,
    code: "not_editable",
  },
  { text: /there is no (?:text|caption) in the message to edit/i, code: "message_differs" },
  { text: /message can't be deleted|MESSAGE_DELETE_FORBIDDEN/i, code: "not_deletable" },
  { text: /not enough rights|CHAT_ADMIN_REQUIRED/i, code: "no_right" },
];

function inCorrection(error: SendError): SendError {
  const meaning = meanings.find(({ text }) => text.test(error.message));
  return meaning ? { ...error, ...refused, code: meaning.code } : error;
}

function done(ids: readonly (readonly string[])[]): Outcome {
  const messages = ids.map((message_ids, index) => ({
    index,
    id: message_ids[0] ?? "",
    raw: { message_ids },
  }));
  return { kind: "sent", providerMessageId: messages[0]?.id ?? "", raw: { messages } };
}
