import { z } from "zod";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import { cut } from "../../kernel/words/index.ts";
import {
  type Compiled,
  type Outcome,
  type Platforms,
  type Resolved,
  readCompiled,
  restored,
  type SendContext,
  type SendError,
  trackProgress,
} from "../../platforms/index.ts";
import type { Credentials } from "../../workspaces/index.ts";
import type { ChatKept } from "../admin/channels/chat-found.ts";
import type { Rendering } from "../ingest/compile-for-profiles.ts";
import type { MediaFor } from "../media/create-media.ts";
import type { Departure } from "./departure.ts";
import { Interrupted } from "./interrupted.ts";
import type { Settlement, StartedDelivery, StoredError } from "./started-delivery.ts";

export interface CarryDeps {
  readonly platforms: Platforms;
  readonly credentials: Credentials;
  readonly http: HttpClient;
  readonly media: MediaFor;
  readonly clock: Clock;
  readonly log: Log;
  /** Compiles a post that was not compiled at enqueue, and keeps the result. */
  render(delivery: StartedDelivery): Promise<Rendering>;
  /** Notes that one more request of a series was acknowledged, before the next one is sent. */
  saveProgress(delivery: StartedDelivery, index: number, providerMessageId: string): Promise<void>;
  /** Keeps the provider's whole answer out of the events; nothing when it could not be kept. */
  keepAnswer(delivery: StartedDelivery, raw: unknown): Promise<string | undefined>;
  /** Which of these messages other deliveries of the channel have on record as theirs. */
  taken(delivery: StartedDelivery, providerMessageIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Keeps the number of a chat that the channel knew by its name only. */
  chatFound(
    delivery: StartedDelivery,
    found: Extract<Resolved, { kind: "found" }>,
  ): Promise<ChatKept | undefined>;
  readonly departure: Departure;
  /** Waits for the channel's and the group's next slot: every request after a delivery's first goes through it. */
  turn(delivery: StartedDelivery): Promise<void>;
}

/** How an attempt ended, and what is known besides. */
export interface Carried extends Pick<Settlement, "payload_ref" | "reconciled" | "late_ms"> {
  readonly outcome: Outcome;
}

/** Carries one delivery to the end of its attempt. Never throws: it always leaves with an outcome. */
export async function carry(delivery: StartedDelivery, deps: CarryDeps): Promise<Settlement> {
  const { outcome, ...besides } = await carryToOutcome(delivery, deps);
  return { ...settlement(delivery, outcome), ...besides };
}

/** The same for a caller that settles by itself. */
export async function carryToOutcome(delivery: StartedDelivery, deps: CarryDeps): Promise<Carried> {
  try {
    return await attempt(delivery, deps);
  } catch (error) {
    if (error instanceof Interrupted) return { outcome: { kind: "failed", error: interruption(error) } };
    // The adapter broke, and nobody can tell whether before or after its request left.
    deps.log.error({ err: error, delivery_id: delivery.delivery_id }, "the adapter failed");
    return {
      outcome: {
        kind: "unknown",
        error: transient(
          "adapter_execution_failed",
          "The adapter stopped with an unexpected error; the log has it.",
        ),
      },
    };
  }
}

async function attempt(delivery: StartedDelivery, deps: CarryDeps): Promise<Carried> {
  const prepared = await prepare(delivery, deps).catch((error: unknown) => {
    deps.log.error({ err: error, delivery_id: delivery.delivery_id }, "the delivery could not be prepared");
    return {
      error: transient("preparation_failed", "The post or its token could not be read; the log says why."),
    };
  });
  const doubtful = delivery.last_error?.code === "outcome_unknown";
  if ("error" in prepared) {
    // What kept it from looking says nothing about the attempt in doubt: it is looked for next time.
    const kind = doubtful && mayLookLater(prepared.error) ? "unknown" : "failed";
    return { outcome: { kind, error: prepared.error } };
  }
  const { compiled, token } = prepared;

  const platform = deps.platforms.platformOf(delivery.platform);
  const addressed = doubtful ? delivery : await byNumber(delivery, token, deps);
  if ("error" in addressed) return { outcome: { kind: "failed", error: addressed.error } };
  const context = contextOf(addressed, token, deps);
  const send = async (): Promise<Carried> => {
    const answered = await deps.departure(delivery);
    const outcome = await platform.send(compiled, context);
    const late_ms = answered();
    return { ...(await ended(delivery, outcome, deps)), ...(late_ms !== undefined && { late_ms }) };
  };
  if (!doubtful) return send();

  // An earlier attempt may have arrived: look before sending again, and where nobody can look, let the channel decide.
  const found = await platform.find?.(compiled, context).catch((error: unknown) => {
    if (!(error instanceof Interrupted)) throw error;
    return { kind: "unavailable" as const, error: interruption(error) };
  });
  if (found?.kind === "found") return { outcome: { ...found, kind: "sent" }, reconciled: "found" };
  if (found?.kind === "absent") return { ...(await send()), reconciled: "absent" };
  if (found && mayLookLater(found.error))
    return ended(delivery, { kind: "unknown", error: found.error }, deps);
  if (delivery.unknown_policy === "at_most_once")
    return { outcome: { kind: "failed", error: heldForAPerson } };
  return send();
}

/** A token that is missing or refused now may be put right; a chat closed to readers stays so, and others decide. */
function mayLookLater({ category, code }: SendError): boolean {
  return category === "TRANSIENT" || code === "unauthorized" || code === missingCredential.code;
}

/** What a send needs; nothing of it touches the provider, so a failure here is no doubt about the outcome. */
async function prepare(
  delivery: StartedDelivery,
  deps: CarryDeps,
): Promise<{ compiled: Compiled; token: string } | { error: SendError }> {
  const compiled = await compiledPost(delivery, deps);
  if ("error" in compiled) return compiled;
  const token =
    delivery.secret_ref && (await deps.credentials.token(delivery.workspace_id, delivery.secret_ref));
  return token ? { compiled: compiled.post, token } : { error: missingCredential };
}

/**
 * The delivery to the chat's number, where its channel knows only a name so far: two channels must not post into one chat
 * unless that was asked for. A provider that cannot be asked now is told the name, as before.
 */
async function byNumber(
  delivery: StartedDelivery,
  token: string,
  deps: CarryDeps,
): Promise<StartedDelivery | { error: SendError }> {
  try {
    const platform = deps.platforms.platformOf(delivery.platform);
    const found = await platform.resolve?.(contextOf(delivery, token, deps));
    if (found?.kind !== "found") return delivery;
    const kept = await deps.chatFound(delivery, found);
    if (kept && "takenBy" in kept) return { error: sameChat(kept.takenBy) };
    return { ...delivery, target_id: found.targetId };
  } catch (error) {
    deps.log.warn({ err: error, delivery_id: delivery.delivery_id }, "the chat's number could not be kept");
    return delivery;
  }
}

/** What the provider said, with its answer kept aside when it was an error. */
async function ended(delivery: StartedDelivery, outcome: Outcome, deps: CarryDeps): Promise<Carried> {
  if (outcome.kind === "sent" || outcome.error.raw === undefined) return { outcome };
  const ref = await deps.keepAnswer(delivery, outcome.error.raw);
  return ref ? { outcome, payload_ref: ref } : { outcome };
}

/** The post exactly as it was compiled before; one that came through plain SQL is compiled now. */
async function compiledPost(
  delivery: StartedDelivery,
  deps: CarryDeps,
): Promise<{ post: Compiled } | { error: SendError }> {
  const stored = readCompiled(delivery.render_meta.compiled, delivery.rendered_text ?? "");
  if (stored) return { post: stored };
  const rendering = await deps.render(delivery);
  return rendering.ok
    ? { post: restored(rendering.meta.compiled, rendering.text) }
    : { error: rendering.error };
}

function contextOf(delivery: StartedDelivery, token: string, deps: CarryDeps): SendContext {
  return {
    channel: {
      platform: delivery.platform,
      targetId: delivery.target_id,
      sendMode: delivery.send_mode,
      settings: delivery.settings,
    },
    token,
    idempotencyKey: delivery.delivery_id,
    since: delivery.created_at,
    http: deps.http,
    clock: deps.clock,
    media: deps.media(delivery),
    taken: (ids) => deps.taken(delivery, ids),
    turn: () => deps.turn(delivery),
    progress: trackProgress(delivery.render_meta.series_progress?.provider_message_ids ?? [], (index, id) =>
      deps.saveProgress(delivery, index, id),
    ),
  };
}

/** What the outcome means for the tables. Pure. */
export function settlement(delivery: StartedDelivery, outcome: Outcome): Settlement {
  const base = {
    workspaceId: delivery.workspace_id,
    delivery_id: delivery.delivery_id,
    token: delivery.claim_token,
  };
  if (outcome.kind === "sent") {
    const meta = { ...(outcome.url ? { url: outcome.url } : {}), raw: outcome.raw };
    return { ...base, kind: "sent", provider_message_id: outcome.providerMessageId, meta };
  }
  return { ...base, kind: outcome.kind, error: storedError(outcome.error) };
}

export function storedError({ category, scope, code, message, retryAfterMs, raw }: SendError): StoredError {
  const migrateTo = code === "chat_migrated" ? migration.safeParse(raw).data : undefined;
  return {
    ...(migrateTo ? { migrate_to: String(migrateTo.body.parameters.migrate_to_chat_id) } : {}),
    category,
    scope,
    code,
    message: cut(message, 500),
    ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }),
  };
}

/** Where Telegram says a group lives on after it became a supergroup. */
const migration = z.object({ body: z.object({ parameters: z.object({ migrate_to_chat_id: z.int() }) }) });

const transient = (code: string, message: string): SendError => ({
  category: "TRANSIENT",
  scope: "delivery",
  code,
  message,
});

const interruption = ({ message, retryAfterMs }: Interrupted): SendError => ({
  ...transient(
    "interrupted",
    `Stopped between two requests of this post (${message}); the rest goes with the next attempt.`,
  ),
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

const missingCredential: SendError = {
  category: "PERMANENT",
  scope: "channel",
  code: "missing_credential",
  message: "The channel's auth_ref leads to no token: bind one, then resume the channel.",
};

const sameChat = (other: string): SendError => ({
  category: "PERMANENT",
  scope: "channel",
  code: "same_chat",
  message: `The channel ${other} posts into the same chat: delete one of the two, or set allow_duplicate=true, then resume the channel.`,
});

const heldForAPerson: SendError = {
  category: "PERMANENT",
  scope: "delivery",
  code: "outcome_unknown",
  message:
    "An earlier attempt may have arrived and the channel's policy is at_most_once: look, then requeue if it did not.",
};
