import type { Compiled, CompiledRequest, Outcome, SendContext } from "./contract.ts";

export interface SentMessage {
  /** The provider's id of the message, or of the group it made. */
  readonly id: string;
  readonly url?: string;
  readonly raw: unknown;
}

export type RequestOutcome =
  | { readonly kind: "sent"; readonly message: SentMessage }
  | Exclude<Outcome, { kind: "sent" }>;

/**
 * Sends the requests of one post in order, skipping those that were acknowledged before. The first failure stops it;
 * the earlier ones stay acknowledged, so that a retry sends only the rest.
 */
export async function sendSeries<Context extends SendContext>(
  compiled: Compiled,
  context: Context,
  sendOne: (request: CompiledRequest, context: Context) => Promise<RequestOutcome>,
): Promise<Outcome> {
  const { progress } = context;
  const last = compiled.requests.length - 1;
  const sent: { index: number; id: string; url?: string; raw?: unknown }[] = [];
  const paced = { ...context, turn: afterTheFirst(context.turn) };
  for (const [index, request] of compiled.requests.entries()) {
    const earlier = progress.acknowledged[index];
    if (earlier !== undefined) {
      sent.push({ index, id: earlier });
      continue;
    }
    const outcome = await sendOne(request, paced);
    if (outcome.kind !== "sent") return outcome;
    sent.push({ index, ...outcome.message });
    // The last one is recorded with the outcome itself, which saves a round trip for every single-message post.
    if (index < last) {
      const failure = await acknowledge(context, index, outcome.message.id);
      if (failure) return failure;
    }
  }
  const [primary] = sent;
  if (!primary) throw new Error("a compiled post without requests cannot be sent");
  return {
    kind: "sent",
    providerMessageId: primary.id,
    ...(primary.url && { url: primary.url }),
    raw: { messages: sent },
  };
}

/** The queue has allowed one request; each further one, uploads included, waits for another turn. */
export function afterTheFirst(turn: SendContext["turn"]): () => Promise<void> {
  let asked = false;
  return async () => {
    if (asked) await turn?.();
    asked = true;
  };
}

/** A message that arrived but was not recorded would be sent twice by a retry. */
async function acknowledge(context: SendContext, index: number, id: string): Promise<Outcome | undefined> {
  try {
    await context.progress.acknowledge(index, id);
    return undefined;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return {
      kind: "unknown",
      error: {
        category: "TRANSIENT",
        scope: "delivery",
        code: "outcome_unknown",
        message: `part ${index + 1} arrived as ${id}, but that could not be recorded: ${reason}`,
        raw: { index, providerMessageId: id },
      },
    };
  }
}
