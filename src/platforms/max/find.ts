import type { Compiled, CompiledRequest, Found, SendContext } from "../contract.ts";
import { fingerprint } from "../fingerprint.ts";
import { lookBack, type ReadBack, type Unavailable, unavailable } from "../look-back.ts";
import type { WithToken } from "../token-credential.ts";
import { type Connection, call, type MaxSettings, mediaOrder, recipientOf } from "./client.ts";
import { clockSlackMs, messagesRead, pagesRead } from "./limits.ts";
import { uploadTypeOf } from "./media.ts";
import { historyShape, type Message } from "./message.ts";

/** Checks whether a post arrived, by reading the chat's history. */
export function find(
  compiled: Compiled,
  context: WithToken<SendContext>,
  settings: MaxSettings,
): Promise<Found> {
  return lookBack(compiled, context, {
    async alike(request) {
      const history = await newestMessages({ settings, context });
      if (history.kind === "unavailable") return history;
      const alike = history.messages.filter((message) => fingerprintIn(message) === fingerprintOf(request));
      return { messages: alike.map(asReadBack) };
    },
    ownAmong: (messages, request) => ownAmong(messages, request, context),
  });
}

interface ReadMessage extends ReadBack {
  readonly message: Message;
}

const asReadBack = (message: Message): ReadMessage => ({
  id: message.body.mid,
  url: message.url,
  at: message.timestamp,
  message,
});

/**
 * A message is recognised by its text. Pictures alone do not identify it, unless they have the tokens of this bot's
 * uploads; MAX does not promise to return the same tokens, so different tokens prove nothing.
 */
async function ownAmong(
  candidates: readonly ReadMessage[],
  request: CompiledRequest,
  { media, token }: WithToken<SendContext>,
): Promise<ReadMessage | undefined> {
  if (request.text.trim() !== "") return candidates[0];
  const tokens: string[] = [];
  for (const item of request.media) {
    const known = await media.known(item, mediaOrder(token));
    if (known === undefined) return undefined;
    tokens.push(known);
  }
  const same = ({ message }: ReadMessage) =>
    JSON.stringify(tokensIn(message).toSorted()) === JSON.stringify(tokens.toSorted());
  return candidates.find(same);
}

function tokensIn({ body }: Message): string[] {
  return (body.attachments ?? []).flatMap(({ payload }) => payload?.token ?? []);
}

type History = { readonly kind: "read"; readonly messages: readonly Message[] } | Unavailable;

/**
 * Messages since the first attempt, the oldest first, read page by page backwards. Only `to` is used: with both bounds,
 * the vendor's documentation wants `to` before `from` and other sources the opposite. A page without new messages ends
 * the loop, in case a server ignores `to`.
 */
async function newestMessages(connection: Connection): Promise<History> {
  const { context } = connection;
  const recipient = recipientOf(context.channel.targetId);
  if (!recipient.chat_id) return unavailable("a dialog cannot be read back by the person's id");
  const since = context.since.getTime() - clockSlackMs;
  const seen = new Map<string, Message>();
  let bound: { to?: string } = {};
  for (let page = 1; page <= pagesRead; page++) {
    const query = { ...recipient, ...bound, count: String(messagesRead) };
    const reply = await call({ method: "GET", path: "/messages", query }, historyShape, connection);
    if (reply.kind !== "ok") return { kind: "unavailable", error: reply.error };
    const { messages, length } = reply.result;
    const times = messages.flatMap(({ timestamp }) => timestamp ?? []);
    const known = seen.size;
    for (const message of messages) seen.set(message.body.mid, message);
    if (length < messagesRead || times.some((time) => time < since))
      return { kind: "read", messages: recent([...seen.values()], since) };
    if (seen.size === known || times.length === 0) break;
    bound = { to: String(Math.min(...times)) };
  }
  return unavailable(
    `the chat could not be read back to the first try: ${seen.size} messages have come since`,
  );
}

function recent(messages: readonly Message[], since: number): Message[] {
  return messages
    .filter(({ timestamp = since, sender }) => timestamp >= since && sender?.is_bot !== false)
    .toSorted((one, other) => (one.timestamp ?? since) - (other.timestamp ?? since));
}

function fingerprintOf({ text, media }: CompiledRequest): string {
  return fingerprint(text, shownOf(media.map((item) => uploadTypeOf(item))));
}

function fingerprintIn({ body }: Message): string {
  return fingerprint(body.text ?? "", shownOf((body.attachments ?? []).map(({ type }) => type)));
}

/**
 * Link previews and keyboards may change; files do not. Whether an animation is an image or a video is known only after
 * it is fetched.
 */
const shownAs: ReadonlyMap<string, string> = new Map([
  ["image", "picture"],
  ["video", "picture"],
  ["audio", "audio"],
  ["file", "file"],
]);

const shownOf = (attachmentTypes: readonly string[]): string[] =>
  attachmentTypes.flatMap((type) => shownAs.get(type) ?? []);
