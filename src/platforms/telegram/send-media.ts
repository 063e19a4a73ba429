import { z } from "zod";
import type { FormPart } from "../../kernel/outbound/index.ts";
import type { CompiledRequest, LentFile, MediaOrder } from "../contract.ts";
import { readableItems } from "../if-readable.ts";
import { mediaError } from "../send-error.ts";
import type { RequestOutcome } from "../send-series.ts";
import { type Body, type Connection, call } from "./client.ts";
import { fileRules } from "./limits.ts";
import { mediaMethods } from "./media.ts";
import { fileIdOf, type Message, messageShape, sentMessage } from "./message.ts";
import { chatIdOf } from "./target.ts";

/** Sends a request with media: one file, an album, or a file that replaces another. */
export async function sendMedia(request: CompiledRequest, connection: Connection): Promise<RequestOutcome> {
  const outcome = await offer(request, connection);
  // A file reference has expired, and a refused request has posted nothing: upload the file again.
  return outcome.refused ? offer(request, connection, outcome.refused) : outcome;
}

type Offered = RequestOutcome & { readonly refused?: readonly string[] };

async function offer(
  request: CompiledRequest,
  connection: Connection,
  refused: readonly string[] = [],
): Promise<Offered> {
  const { context } = connection;
  // A reference that the author gave is used as it is.
  const places = [...request.media.keys()].filter((place) => !request.media[place]?.fileId);
  const order: MediaOrder = { account: accountOf(context.token), rulesFor: fileRules, refused };
  const lent = await context.media.lend(
    places.flatMap((place) => request.media[place] ?? []),
    order,
    async (files): Promise<Offered> => {
      if (files.some((file) => file.kind === "reference" && file.waited)) await context.turn?.();
      await context.turn?.();
      const reply = await call(
        request.method,
        bodyOf(request, places, files, context),
        resultShape,
        connection,
      );
      if (reply.kind !== "ok") {
        const used = files.flatMap((file) => (file.kind === "reference" ? file.reference : []));
        const lapsed = reply.error.code === "media_rejected" && used.length > 0 && refused.length === 0;
        return lapsed ? { ...reply, refused: used } : reply;
      }
      const { first, others, isWhole } = reply.result;
      if (isWhole) await report(places, files, [first, ...others]);
      return { kind: "sent", message: sentMessage([first, ...others]) };
    },
  );
  if (lent.ok) return lent.value;
  const { fault } = lent;
  return { kind: "failed", error: mediaError({ ...fault, place: places[fault.place] ?? fault.place }) };
}

/** File references belong to one bot. The number before the colon of a token is public, the rest is not. */
function accountOf(token: string): string {
  return `telegram:${/^(\d+):/.exec(token)?.[1] ?? "unknown"}`;
}

/** One message or an album, of which one parsable message is enough. */
const resultShape = z.union([
  messageShape.transform((message): Arrived => ({ first: message, others: [], isWhole: true })),
  z.array(z.unknown()).transform((items, context): Arrived => {
    const [first, ...others] = readableItems(messageShape).parse(items);
    if (first) return { first, others, isWhole: others.length === items.length - 1 };
    context.addIssue("no message can be read");
    return z.NEVER;
  }),
]);

interface Arrived {
  readonly first: Message;
  readonly others: readonly Message[];
  /** Whether every message could be parsed, so that their indexes match those of the files. */
  readonly isWhole: boolean;
}

/** The request with the files in the fields of its method; `places` says which media were lent. */
function bodyOf(
  request: CompiledRequest,
  places: readonly number[],
  files: readonly LentFile[],
  { channel }: Connection["context"],
): Body {
  const names = request.media.map(({ fileId = "" }, place) => {
    const file = files[places.indexOf(place)];
    if (!file) return fileId;
    return file.kind === "reference" ? file.reference : `attach://${fieldOf(files.indexOf(file))}`;
  });
  const json = { chat_id: chatIdOf(channel.targetId), ...withMedia(request, names) };
  const uploads = [...new Set(files)].flatMap((file): FormPart[] =>
    file.kind === "upload" ? [{ ...file.file, name: fieldOf(files.indexOf(file)) }] : [],
  );
  if (uploads.length === 0) return { json };
  // In a form, nested values are JSON strings.
  const fields = Object.entries(json).map(([name, value]): FormPart => {
    return { name, value: typeof value === "object" ? JSON.stringify(value) : String(value) };
  });
  return { form: [...fields, ...uploads] };
}

function fieldOf(index: number): string {
  return `file${index}`;
}

function withMedia(
  { method, body, media }: CompiledRequest,
  names: readonly string[],
): Record<string, unknown> {
  if (method === "sendMediaGroup") {
    const items = z.array(z.record(z.string(), z.unknown())).parse(body.media);
    return { ...body, media: items.map((item, index) => ({ ...item, media: names[index] })) };
  }
  if (method === "editMessageMedia")
    return { ...body, media: { ...z.record(z.string(), z.unknown()).parse(body.media), media: names[0] } };
  const [only] = media;
  if (!only) throw new Error(`${method} was compiled without media`);
  return { ...body, [mediaMethods[only.kind].field]: names[0] };
}

/** Stores the references of these files. Only a cache: if it cannot be written, the message has still arrived. */
async function report(
  places: readonly number[],
  files: readonly LentFile[],
  messages: readonly Message[],
): Promise<void> {
  for (const [index, file] of files.entries()) {
    const fileId = fileIdOf(messages[places[index] ?? index]);
    if (file.kind === "upload" && fileId) await file.uploaded(fileId).catch(() => {});
  }
}
