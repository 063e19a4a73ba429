import type { Compiled, CompiledRequest, Found, SendContext } from "./contract.ts";

/** A message as it was read back. */
export interface ReadBack {
  readonly id: string;
  readonly url?: string | undefined;
  /** When it was posted, in milliseconds; undefined if unknown. */
  readonly at?: number | undefined;
}

export interface Look<Message extends ReadBack> {
  /** Messages since the first attempt that may be this request, the oldest first. */
  alike(request: CompiledRequest): Promise<{ readonly messages: readonly Message[] } | Unavailable>;
  /** Which of the messages that no other delivery has recorded is this one; undefined if they cannot be told apart. */
  ownAmong(messages: readonly Message[], request: CompiledRequest): Promise<Message | undefined>;
}

export type Unavailable = Extract<Found, { kind: "unavailable" }>;

/**
 * Checks whether a post arrived, on platforms where messages can be read back. A series stops at the first part whose
 * outcome is unknown, so only that part is looked for; if it is found, it is acknowledged, and `send` goes on after it.
 */
export async function lookBack<Message extends ReadBack>(
  compiled: Compiled,
  context: SendContext,
  look: Look<Message>,
): Promise<Found> {
  const { progress } = context;
  const doubtful = compiled.requests.findIndex((_, index) => progress.acknowledged[index] === undefined);
  const request = compiled.requests[doubtful];
  if (!request) return arrived(context);

  const read = await look.alike(request);
  if ("kind" in read) return read;
  const candidates = await withoutOthers(read.messages, context);
  if (candidates.length === 0) return { kind: "absent" };

  // Excludes an equal post from before this delivery.
  const dated = candidates.filter(({ at }) => at !== undefined);
  if (dated.length === 0)
    return unavailable("messages that look the same are there, and nothing tells when they came");
  const message = await look.ownAmong(dated, request);
  if (!message)
    return unavailable("messages that look the same are there, and nothing in them tells whose they are");
  await progress.acknowledge(doubtful, message.id);
  return doubtful < compiled.requests.length - 1 ? { kind: "absent" } : arrived(context, message);
}

function arrived({ progress }: SendContext, last?: ReadBack): Found {
  const [providerMessageId] = progress.acknowledged;
  if (providerMessageId === undefined)
    throw new Error("a compiled post without requests cannot be looked for");
  const url = last?.id === providerMessageId ? last.url : undefined;
  return {
    kind: "found",
    providerMessageId,
    ...(url && { url }),
    raw: { messages: progress.acknowledged.map((id, index) => ({ index, id })) },
  };
}

/** Messages that belong neither to this post nor to another delivery. */
async function withoutOthers<Message extends ReadBack>(
  messages: readonly Message[],
  context: SendContext,
): Promise<Message[]> {
  const own = new Set(context.progress.acknowledged);
  const free = messages.filter(({ id }) => !own.has(id));
  if (free.length === 0) return free;
  const taken = await context.taken?.(free.map(({ id }) => id));
  return free.filter(({ id }) => !taken?.has(id));
}

export function unavailable(message: string): Unavailable {
  return {
    kind: "unavailable",
    error: { category: "PERMANENT", scope: "delivery", code: "cannot_look_up", message },
  };
}
