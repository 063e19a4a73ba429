import type { Clock } from "../../kernel/clock/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import { cut } from "../../kernel/words/index.ts";
import {
  type Compiled,
  type Credential,
  type Found,
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
import { waitedInVain } from "../addressed/publish.ts";
import type { ChatKept } from "../admin/channels/chat-found.ts";
import type { Rendering } from "../ingest/compile-for-channel.ts";
import type { MediaFor } from "../media/create-media.ts";
import type { Departure } from "./departure.ts";
import { Interrupted } from "./interrupted.ts";
import { holdLease, type LeaseHold } from "./lease-hold.ts";
import { type PublicPage, publicPage } from "./public-page.ts";
import type { Settlement, StartedDelivery, StoredError } from "./started-delivery.ts";

export interface CarryDeps {
  readonly platforms: Platforms;
  readonly credentials: Pick<Credentials, "ofPlatform">;
  readonly http: HttpClient;
  readonly media: MediaFor;
  readonly clock: Clock;
  readonly log: Log;
  /** Compiles a post that was not compiled at enqueue, and stores the result. */
  render(delivery: StartedDelivery): Promise<Rendering>;
  /** Records that one more request of a series was acknowledged, before the next one is sent. */
  saveProgress(delivery: StartedDelivery, index: number, providerMessageId: string): Promise<void>;
  /** Stores the provider's whole answer outside the events; undefined if that failed. */
  keepAnswer(
    delivery: Pick<StartedDelivery, "workspace_id" | "delivery_id">,
    raw: unknown,
  ): Promise<string | undefined>;
  /** Which of these messages are recorded for other deliveries of the channel. */
  taken(delivery: StartedDelivery, providerMessageIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Stores the id of a chat for a channel that knew only its name. */
  chatFound(
    delivery: StartedDelivery,
    found: Extract<Resolved, { kind: "found" }>,
  ): Promise<ChatKept | undefined>;
  readonly departure: Departure;
  /** After this time another process may take the delivery over; absent if the caller sees to that. */
  readonly leaseMs?: number;
  /** Waits for the next slot of the channel and its group; called before every request of a delivery but the first. */
  turn(delivery: StartedDelivery): Promise<void>;
}

/** How an attempt ended, with further facts. */
export interface Carried extends Pick<Settlement, "payload_ref" | "reconciled" | "late_ms"> {
  readonly outcome: Outcome;
  readonly page?: PublicPage;
}

/** Makes one attempt to send a delivery. Never throws: it always returns an outcome. */
export async function carry(delivery: StartedDelivery, deps: CarryDeps): Promise<Settlement> {
  const { outcome, page, ...besides } = await carryToOutcome(delivery, deps);
  return { ...settlement(delivery, outcome, page), ...besides };
}

/** The same for a caller that settles by itself. */
export async function carryToOutcome(delivery: StartedDelivery, deps: CarryDeps): Promise<Carried> {
  try {
    return await attempt(delivery, deps);
  } catch (error) {
    if (error instanceof Interrupted) return { outcome: { kind: "failed", error: interruption(error) } };
    // The adapter threw, and it is unknown whether its request had been sent.
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

/** If the answer cannot be read as a page, the outcome is still valid. */
function withPage(
  carried: Carried,
  compiled: Compiled,
  { platform, delivery_id }: StartedDelivery,
  deps: CarryDeps,
): Carried {
  try {
    const definition = deps.platforms.definitionOf(platform);
    const page = publicPage(carried.outcome, compiled, definition, deps.clock.now());
    return page ? { ...carried, page } : carried;
  } catch (error) {
    deps.log.error({ err: error, delivery_id }, "whether the post is a public page could not be told");
    return carried;
  }
}

async function attempt(delivery: StartedDelivery, deps: CarryDeps): Promise<Carried> {
  const prepared = await prepare(delivery, deps).catch((error: unknown) => {
    deps.log.error({ err: error, delivery_id: delivery.delivery_id }, "the delivery could not be prepared");
    return {
      error: transient("preparation_failed", "The post or its token could not be read; the log says why."),
    };
  });
  const doubtful = isInDoubt(delivery);
  if ("error" in prepared) {
    // The error that prevented the look-up says nothing about the attempt in doubt: the next attempt looks again.
    const kind = doubtful && mayLookLater(prepared.error) ? "unknown" : "failed";
    return { outcome: { kind, error: prepared.error } };
  }
  return withPage(await attemptPrepared(delivery, prepared, deps), prepared.compiled, delivery, deps);
}

async function attemptPrepared(
  delivery: StartedDelivery,
  { compiled, credential }: { readonly compiled: Compiled; readonly credential: Credential },
  deps: CarryDeps,
): Promise<Carried> {
  const doubtful = isInDoubt(delivery);
  const platform = deps.platforms.platformOf(delivery.platform);
  const tooLate = delivery.wait_until !== null && delivery.wait_until <= deps.clock.now();
  if (tooLate && !doubtful) return { outcome: { kind: "failed", error: waitedTooLong } };
  const addressed = doubtful ? delivery : await byNumber(delivery, credential, deps);
  if ("error" in addressed) return { outcome: { kind: "failed", error: addressed.error } };
  const hold = holdLease(delivery.departs_at, deps.clock, deps.leaseMs);
  const contextWith = (fields: Credential) => contextOf(addressed, fields, deps, hold);
  const send = async (): Promise<Carried> => {
    const answered = await deps.departure(delivery);
    const first = await platform.send(compiled, contextWith(credential));
    const late_ms = answered();
    const outcome = await onceRenewed(first, delivery, credential, deps, async (fields) => {
      await hold.renewing(() => deps.turn(delivery));
      return platform.send(compiled, contextWith(fields));
    });
    return { ...(await ended(delivery, outcome, deps)), ...(late_ms !== undefined && { late_ms }) };
  };
  if (!doubtful) return send();

  // An earlier attempt may have arrived: look it up before sending again; if that is impossible, the channel's setting decides.
  const { find } = platform;
  const look = async (): Promise<Found | undefined> => {
    const first = await find?.(compiled, contextWith(credential));
    return (
      find &&
      first &&
      onceRenewed(first, delivery, credential, deps, (fields) => find(compiled, contextWith(fields)))
    );
  };
  const found = await look().catch((error: unknown) => {
    if (!(error instanceof Interrupted)) throw error;
    return { kind: "unavailable" as const, error: interruption(error) };
  });
  if (found?.kind === "found") return { outcome: { ...found, kind: "sent" }, reconciled: "found" };
  if (found?.kind === "absent") {
    const ending = tooLate ? { outcome: { kind: "failed", error: waitedTooLong } as const } : await send();
    return { ...ending, reconciled: "absent" };
  }
  if (found && mayLookLater(found.error))
    return ended(delivery, { kind: "unknown", error: found.error }, deps);
  if (tooLate || delivery.unknown_policy === "at_most_once")
    return { outcome: { kind: "failed", error: tooLate ? nobodyKnows : heldForAPerson } };
  return send();
}

/** Whether an earlier attempt may have arrived. */
const isInDoubt = ({ last_error }: StartedDelivery) => last_error?.code === "outcome_unknown";
/**
 * If the provider refuses the credential and can renew it, tries once more with new fields. A refusal means that nothing was
 * posted.
 */
export async function onceRenewed<T extends Outcome | Found>(
  first: T,
  { workspace_id, platform, secret_ref }: Pick<StartedDelivery, "workspace_id" | "platform" | "secret_ref">,
  credential: Credential,
  { platforms, credentials }: Pick<CarryDeps, "platforms" | "credentials">,
  again: (credential: Credential) => Promise<T>,
): Promise<T> {
  const isRefused =
    (first.kind === "failed" || first.kind === "unavailable") && first.error.code === "unauthorized";
  if (!isRefused || !secret_ref || !platforms.platformOf(platform).refresh) return first;
  const renewed = await credentials.ofPlatform(workspace_id, platform, secret_ref, credential);
  if (renewed.kind === "failed") return { ...first, error: renewed.error };
  return renewed.kind === "ready" ? again(renewed.credential) : first;
}

/**
 * A missing or refused token may be corrected later; a chat that is closed to readers stays closed, and the channel's setting
 * decides.
 */
function mayLookLater({ category, code }: SendError): boolean {
  return category === "TRANSIENT" || code === "unauthorized" || code === missingCredential.code;
}

/** Gets what a send needs, without contacting the provider, so that an error here leaves no doubt about the outcome. */
async function prepare(
  delivery: StartedDelivery,
  deps: CarryDeps,
): Promise<{ compiled: Compiled; credential: Credential } | { error: SendError }> {
  const compiled = await compiledPost(delivery, deps);
  if ("error" in compiled) return compiled;
  const { workspace_id, platform, secret_ref } = delivery;
  if (!secret_ref) return { error: missingCredential };
  const read = await deps.credentials.ofPlatform(workspace_id, platform, secret_ref);
  if (read.kind === "failed") return { error: read.error };
  return read.kind === "ready"
    ? { compiled: compiled.post, credential: read.credential }
    : { error: missingCredential };
}

/**
 * Addresses the delivery by the chat's id if its channel knows only a name so far: two channels must not post to one chat
 * unless that was asked for. If the provider cannot be asked now, the name is used.
 */
async function byNumber(
  delivery: StartedDelivery,
  credential: Credential,
  deps: CarryDeps,
): Promise<StartedDelivery | { error: SendError }> {
  try {
    const platform = deps.platforms.platformOf(delivery.platform);
    const hold = holdLease(delivery.departs_at, deps.clock, deps.leaseMs);
    const found = await platform.resolve?.(contextOf(delivery, credential, deps, hold));
    if (found?.kind !== "found") return delivery;
    const kept = await deps.chatFound(delivery, found);
    if (kept && "takenBy" in kept) return { error: sameChat(kept.takenBy) };
    return { ...delivery, target_id: found.targetId };
  } catch (error) {
    deps.log.warn({ err: error, delivery_id: delivery.delivery_id }, "the chat's number could not be kept");
    return delivery;
  }
}

/** The provider's outcome; the full answer is stored if it was an error. */
async function ended(delivery: StartedDelivery, outcome: Outcome, deps: CarryDeps): Promise<Carried> {
  if (outcome.kind === "sent" || outcome.error.raw === undefined) return { outcome };
  const ref = await deps.keepAnswer(delivery, outcome.error.raw);
  return ref ? { outcome, payload_ref: ref } : { outcome };
}

/** The post exactly as it was compiled before; a post that came through plain SQL is compiled now. */
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

function contextOf(
  delivery: StartedDelivery,
  credential: Credential,
  deps: CarryDeps,
  hold: LeaseHold,
): SendContext {
  return {
    channel: {
      platform: delivery.platform,
      targetId: delivery.target_id,
      sendMode: delivery.send_mode,
      settings: delivery.settings,
    },
    credential,
    idempotencyKey: delivery.delivery_id,
    since: delivery.created_at,
    http: hold.http(deps.http),
    clock: deps.clock,
    media: hold.media(deps.media(delivery)),
    taken: (ids) => deps.taken(delivery, ids),
    turn: () => hold.renewing(() => deps.turn(delivery)),
    progress: trackProgress(delivery.render_meta.series_progress?.provider_message_ids ?? [], (index, id) =>
      deps.saveProgress(delivery, index, id),
    ),
  };
}

/** Turns the outcome into what the database stores. Pure. */
export function settlement(delivery: StartedDelivery, outcome: Outcome, page?: PublicPage): Settlement {
  const base = {
    workspaceId: delivery.workspace_id,
    delivery_id: delivery.delivery_id,
    token: delivery.claim_token,
  };
  if (outcome.kind === "sent") {
    const { url, losses, raw } = outcome;
    const meta = { ...(url ? { url } : {}), ...(page && { page }), ...(losses && { losses }), raw };
    return { ...base, kind: "sent", provider_message_id: outcome.providerMessageId, meta };
  }
  return { ...base, kind: outcome.kind, error: storedError(outcome.error) };
}

export function storedError({
  category,
  scope,
  code,
  message,
  retryAfterMs,
  movedTo,
}: SendError): StoredError {
  return {
    ...(movedTo === undefined ? {} : { migrate_to: movedTo }),
    category,
    scope,
    code,
    message: cut(message, 500),
    ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }),
  };
}

export const transient = (code: string, message: string): SendError => ({
  category: "TRANSIENT",
  scope: "delivery",
  code,
  message,
});

export const interruption = ({ message, retryAfterMs }: Interrupted): SendError => ({
  ...transient(
    "interrupted",
    `Stopped between two requests of this post (${message}); the rest goes with the next attempt.`,
  ),
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

export const missingCredential: SendError = {
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

/** The same text as in `delivery.waited_too_long`. */
const waitedTooLong: SendError = {
  category: "PERMANENT",
  scope: "delivery",
  code: "cancelled",
  message: waitedInVain,
};

const nobodyKnows: SendError = {
  category: "PERMANENT",
  scope: "delivery",
  code: "outcome_unknown",
  message:
    "An earlier attempt may have arrived, the provider cannot be asked, and nobody waits for it any more: look at the channel.",
};

const heldForAPerson: SendError = {
  category: "PERMANENT",
  scope: "delivery",
  code: "outcome_unknown",
  message:
    "An earlier attempt may have arrived and the channel's policy is at_most_once: look, then requeue if it did not.",
};
