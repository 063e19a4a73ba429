import type { Correction } from "./correction-model.ts";

/**
 * The specification of the queue in plain TypeScript: what each operation does to deliveries, channels and leases. It
 * shares nothing with the functions it is compared to. Times are milliseconds; random instants are read from the
 * database.
 */
export type Status = "queued" | "claimed" | "sending" | "sent" | "retry" | "failed_permanent" | "dead";

export interface Delivery {
  readonly id: string;
  readonly channel: string;
  /** When it was posted, or when an operator let it go. */
  placeInQueue: number;
  status: Status;
  attempt: number;
  requeues: number;
  held: boolean;
  notBefore: number;
  nextRetryAt: number | null;
  claimedAt: number | null;
  sendingStartedAt: number | null;
  error: { code: string; scope: string; asked: boolean } | null;
  /** Until when a person waits for it; null for nobody. Of an addressed one only. */
  readonly waitUntil: number | null;
  /** The ends that its product was told, in order; null if there is no product. */
  readonly told: string[] | null;
  /** Whether it was removed after it was sent. */
  withdrawn: boolean;
}

export interface Channel {
  readonly id: string;
  readonly rps: number | null;
  readonly maxParallel: number;
  /** Of a product's user: it takes only what names it, and its refusals stop nobody. */
  readonly isConnection: boolean;
  hasFailed: boolean;
  enabled: boolean;
  pausedUntil: number | null;
  errorStreak: number;
  nextAllowedAt: number | null;
  lastStartedAt: number | null;
}

export interface Queue {
  readonly deliveries: Map<string, Delivery>;
  readonly corrections: Correction[];
  readonly channels: Map<string, Channel>;
  /** All channels share one rate group. */
  cooldownUntil: number | null;
}

export type OutcomeKind =
  | "sent"
  | "unknown"
  | "transient"
  | "asked_to_wait"
  | "refused"
  | "channel_refused"
  | "platform_refused";

const seconds = 1_000;
export const maxAttempts = 5;
const pauseMs = 3_600 * seconds;
const disableAfter = 3;
export const cooldownMs = 30 * seconds;
/** How far ahead a limited channel is given slots, and how near its last one must be to get more. */
const aheadSeconds = 2;
const againMs = 1 * seconds;
/** Two requests of a limited channel leave a hundredth more than its rate apart. */
const gapMs = ({ rps }: Channel) => (rps === null ? 0 : 1_010 / rps);
const startLeadMs = 50;
export const askedToWaitMs = 20 * seconds;

const of = (queue: Queue, channel: Channel, ...statuses: Status[]) =>
  [...queue.deliveries.values()].filter(
    (delivery) => delivery.channel === channel.id && statuses.includes(delivery.status),
  );

export const dueAt = ({ notBefore, nextRetryAt }: Delivery) => Math.max(notBefore, nextRetryAt ?? notBefore);

/** Posts and corrections share the places of their channel. */
export const underWay = (queue: Queue, channel: Channel) =>
  of(queue, channel, "sending").length +
  queue.corrections.filter((one) => one.channel === channel.id && one.status === "sending").length;

const byTime = (time: (delivery: Delivery) => number) => (one: Delivery, other: Delivery) =>
  time(one) - time(other) || (one.id < other.id ? -1 : 1);

export const isBlocked = (queue: Queue, channel: Channel, now: number) =>
  !channel.enabled || (channel.pausedUntil ?? 0) > now || (queue.cooldownUntil ?? 0) > now;

/** What a claim gives slots to, with room for everything. */
export function claim(queue: Queue, now: number, limit: number): Delivery[] {
  const waiting = (channel: Channel) =>
    of(queue, channel, "queued", "retry")
      .filter((delivery) => !delivery.held && dueAt(delivery) <= now)
      .sort(byTime(dueAt));
  const open = [...queue.channels.values()].filter(
    (channel) =>
      waiting(channel).length > 0 &&
      !isBlocked(queue, channel, now) &&
      (channel.rps === null || (channel.nextAllowedAt ?? 0) - againMs <= now),
  );
  return open.flatMap((channel) => {
    const base = Math.max(now, channel.nextAllowedAt ?? now);
    const taken = waiting(channel).slice(0, Math.min(Math.ceil(limit / open.length), roomOf(queue, channel)));
    for (const [place, delivery] of taken.entries()) {
      // Without a rate there are no slots: they start in the order in which they were due.
      const slot = channel.rps === null ? dueAt(delivery) : base + (place * seconds) / channel.rps;
      Object.assign(delivery, { status: "claimed", claimedAt: now, notBefore: slot });
    }
    if (channel.rps !== null && taken.length > 0)
      channel.nextAllowedAt = base + (taken.length * seconds) / channel.rps;
    return taken;
  });
}

export function roomOf(queue: Queue, channel: Channel): number {
  const most = channel.rps === null ? 2 * channel.maxParallel : Math.ceil(channel.rps * aheadSeconds) + 1;
  return Math.max(0, most - of(queue, channel, "claimed").length);
}

/** What may start now; what may not because of its channel goes back to wait. */
export function start(queue: Queue, now: number): Delivery[] {
  const ready = [...queue.channels.values()].filter((channel) =>
    of(queue, channel, "claimed").some(({ notBefore }) => notBefore <= now),
  );
  const started: Delivery[] = [];
  for (const channel of ready) {
    const claimed = of(queue, channel, "claimed");
    if (isBlocked(queue, channel, now)) {
      for (const delivery of claimed) giveBack(delivery);
      continue;
    }
    const free = channel.maxParallel - underWay(queue, channel);
    const tooSoon =
      channel.rps !== null && (channel.lastStartedAt ?? Number.NEGATIVE_INFINITY) + gapMs(channel) > now;
    const room = tooSoon ? 0 : Math.max(0, channel.rps === null ? free : Math.min(1, free));
    const leaving = claimed
      .filter(({ notBefore }) => notBefore <= now)
      .sort(byTime(({ notBefore }) => notBefore))
      .slice(0, room);
    for (const delivery of leaving)
      Object.assign(delivery, { status: "sending", attempt: delivery.attempt + 1, sendingStartedAt: now });
    if (channel.rps !== null && leaving.length > 0) channel.lastStartedAt = now;
    started.push(...leaving);
  }
  return started;
}

/** It returns to its earlier place in the queue. */
function giveBack(delivery: Delivery): void {
  const { nextRetryAt, placeInQueue } = delivery;
  const status = nextRetryAt === null ? "queued" : "retry";
  Object.assign(delivery, { status, claimedAt: null, notBefore: placeInQueue });
}

/** The ends of attempts, all written at once. `retryAt` is what the database chose for those that are tried again. */
export function settle(
  queue: Queue,
  outcomes: readonly {
    readonly delivery: Delivery;
    readonly kind: OutcomeKind;
    readonly retryAt: number | null;
  }[],
  now: number,
): void {
  const refusals = new Map<string, number>();
  const cleared = new Set<string>();
  for (const { delivery, kind, retryAt } of outcomes) {
    const error = errorOf(kind);
    const permanent = kind.endsWith("refused");
    const spent = delivery.attempt >= maxAttempts + delivery.requeues;
    const status = kind === "sent" ? "sent" : permanent ? "failed_permanent" : spent ? "dead" : "retry";
    release(delivery, { status, error, nextRetryAt: status === "retry" ? retryAt : null });
    tell(delivery);
    if (kind === "sent") cleared.add(delivery.channel);
    if (kind === "channel_refused") refusals.set(delivery.channel, (refusals.get(delivery.channel) ?? 0) + 1);
    if (error?.scope === "platform") {
      const until = now + (error.asked ? askedToWaitMs : cooldownMs);
      queue.cooldownUntil = Math.max(queue.cooldownUntil ?? 0, until);
    }
  }
  for (const channel of queue.channels.values()) {
    const refused = refusals.get(channel.id) ?? 0;
    if (refused > 0) {
      channel.errorStreak += refused;
      if (channel.isConnection) {
        channel.hasFailed = true;
        continue;
      }
      channel.pausedUntil = Math.max(channel.pausedUntil ?? 0, now + pauseMs);
      channel.enabled &&= channel.errorStreak < disableAfter;
    } else if (cleared.has(channel.id)) Object.assign(channel, { errorStreak: 0, hasFailed: false });
  }
}

export function errorOf(kind: OutcomeKind): Delivery["error"] {
  switch (kind) {
    case "sent":
      return null;
    case "unknown":
      return { code: "outcome_unknown", scope: "delivery", asked: false };
    case "transient":
      return { code: "test", scope: "delivery", asked: false };
    case "asked_to_wait":
      return { code: "test", scope: "platform", asked: true };
    case "refused":
      return { code: "test", scope: "delivery", asked: false };
    case "channel_refused":
      return { code: "test", scope: "channel", asked: false };
    case "platform_refused":
      return { code: "test", scope: "platform", asked: false };
  }
}

/** Releases the hold of a process. */
function release(delivery: Delivery, change: Partial<Delivery>): void {
  Object.assign(delivery, { claimedAt: null, sendingStartedAt: null }, change);
}

/** A product is told an end unless it was the last one told. */
function tell({ status, error, told }: Delivery): void {
  if (!told || !["sent", "failed_permanent", "dead"].includes(status)) return;
  const end = endOf(status, error);
  if (told.at(-1) !== end) told.push(end);
}

function endOf(status: Status, error: Delivery["error"]): string {
  if (status !== "failed_permanent") return status === "sent" ? "sent" : `${status} ${error?.code}`;
  const words: Record<string, string> = { cancelled: "cancelled", connection_error: "refused" };
  return `${words[error?.code ?? ""] ?? "failed"} ${error?.code}`;
}

/** A product's post: it waits, unless its connection has failed. */
export function publish(channel: Channel, id: string, waitUntil: number | null, now: number): Delivery {
  const refused = channel.hasFailed ? { code: "connection_error", scope: "channel", asked: false } : null;
  const delivery: Delivery = {
    ...{ id, channel: channel.id, status: refused ? "failed_permanent" : "queued", attempt: 0, requeues: 0 },
    ...{ held: false, notBefore: now, placeInQueue: now, nextRetryAt: null, claimedAt: null },
    ...{ sendingStartedAt: null, error: refused, waitUntil, told: [], withdrawn: false },
  };
  tell(delivery);
  return delivery;
}

/** Deliveries that people have waited for too long; those that may have arrived are looked up first. */
export function stopWaiting(queue: Queue, now: number): Delivery[] {
  const late = [...queue.deliveries.values()].filter(
    (delivery) =>
      isWaiting(delivery) &&
      delivery.waitUntil !== null &&
      delivery.waitUntil <= now &&
      delivery.told?.length === 0 &&
      delivery.error?.code !== "outcome_unknown",
  );
  for (const delivery of late) callOff(delivery);
  return late;
}

function callOff(delivery: Delivery): void {
  const error = { code: "cancelled", scope: "delivery", asked: false };
  release(delivery, { status: "failed_permanent", nextRetryAt: null, held: false, error });
  tell(delivery);
}

export function renew(channel: Channel): boolean {
  if (!channel.hasFailed) return false;
  Object.assign(channel, { hasFailed: false, errorStreak: 0 });
  return true;
}

const unknown = { code: "outcome_unknown", scope: "delivery", asked: false };

/** What dead processes left behind; the times of the new attempts are the database's. */
export function recover(
  queue: Queue,
  leaseMs: number,
  now: number,
): { recovered: Delivery[]; retried: Delivery[] } {
  const all = [...queue.deliveries.values()];
  // A channel's claims go back together.
  const expired = all.filter(
    ({ status, claimedAt, notBefore }) =>
      status === "claimed" && notBefore <= now && (claimedAt ?? now) < now - leaseMs,
  );
  const channels = new Set(expired.map(({ channel }) => channel));
  return takeBack(
    all.filter(
      ({ status, sendingStartedAt, channel }) =>
        (status === "sending" && (sendingStartedAt ?? now) < now - leaseMs) ||
        (status === "claimed" && channels.has(channel)),
    ),
  );
}

/** The process that held everything is gone: no lease is waited for. */
export function gone(queue: Queue): { recovered: Delivery[]; retried: Delivery[] } {
  return takeBack(
    [...queue.deliveries.values()].filter(({ status }) => ["claimed", "sending"].includes(status)),
  );
}

function takeBack(recovered: Delivery[]): { recovered: Delivery[]; retried: Delivery[] } {
  const retried: Delivery[] = [];
  for (const delivery of recovered) {
    if (delivery.status === "claimed") {
      release(delivery, { status: "queued", nextRetryAt: null, notBefore: delivery.placeInQueue });
    } else {
      const spent = delivery.attempt >= maxAttempts + delivery.requeues;
      release(delivery, { status: spent ? "dead" : "retry", error: unknown, nextRetryAt: null });
      tell(delivery);
      if (!spent) retried.push(delivery);
    }
  }
  return { recovered, retried };
}

/** One more request of a delivery that is being sent. */
export function takeTurn(queue: Queue, delivery: Delivery, now: number): boolean {
  const channel = queue.channels.get(delivery.channel);
  if (delivery.status !== "sending" || !channel) return false;
  delivery.sendingStartedAt = now;
  return passGate(queue, channel, now);
}

/** The gate of a channel for one request; true when it may leave. */
export function passGate(queue: Queue, channel: Channel, now: number, leadMs = startLeadMs): boolean {
  const opensAt = channel.rps === null ? now : (channel.lastStartedAt ?? 0) + gapMs(channel);
  const at = Math.max(now, queue.cooldownUntil ?? 0, opensAt);
  if (at > now + leadMs) return false;
  if (channel.rps !== null) {
    channel.lastStartedAt = at;
    channel.nextAllowedAt = Math.max(now, channel.nextAllowedAt ?? now) + seconds / channel.rps;
  }
  return true;
}

/** What an operator does to one delivery; false when it is refused. */
export const operations = {
  requeue(delivery: Delivery, now: number, channel?: Channel): boolean {
    const { status, error, told } = delivery;
    // Nobody recovers a product's posts in a row: each is sent again by itself, once its connection works.
    const isMended = told !== null && !(error?.scope === "channel" && channel?.hasFailed);
    const mayBe =
      status === "dead" ||
      (status === "failed_permanent" && ((error?.scope ?? "delivery") === "delivery" || isMended));
    if (!mayBe) return false;
    const decided = status === "failed_permanent" && error?.code === "outcome_unknown";
    release(delivery, {
      status: "retry",
      nextRetryAt: now,
      requeues: delivery.requeues + 1,
      error: decided ? null : error,
    });
    return true;
  },
  cancel(delivery: Delivery, _now: number, _channel?: Channel): boolean {
    if (!isWaiting(delivery)) return false;
    callOff(delivery);
    return true;
  },
  hold(delivery: Delivery, _now: number, _channel?: Channel): boolean {
    if (!isWaiting(delivery) || delivery.held) return false;
    if (delivery.status === "claimed") giveBack(delivery);
    delivery.held = true;
    return true;
  },
  release(delivery: Delivery, _now: number, _channel?: Channel): boolean {
    if (!isWaiting(delivery) || !delivery.held) return false;
    delivery.held = false;
    return true;
  },
  send_now(delivery: Delivery, now: number, _channel?: Channel): boolean {
    const { nextRetryAt, error } = delivery;
    const asked = (nextRetryAt ?? 0) > now && error?.asked === true;
    if (
      !isWaiting(delivery) ||
      delivery.held ||
      delivery.status === "claimed" ||
      dueAt(delivery) <= now ||
      asked
    )
      return false;
    Object.assign(delivery, {
      notBefore: now,
      placeInQueue: now,
      nextRetryAt: nextRetryAt === null ? null : now,
    });
    return true;
  },
} as const;

const isWaiting = ({ status }: Delivery) => ["queued", "retry", "claimed"].includes(status);

/** Takes away what processes have held for longer than that. */
export function releaseStuck(queue: Queue, olderThanMs: number, now: number): Delivery[] {
  const stuck = [...queue.deliveries.values()].filter(
    ({ status, sendingStartedAt, claimedAt }) =>
      (status === "claimed" || status === "sending") &&
      (sendingStartedAt ?? claimedAt ?? now) < now - olderThanMs,
  );
  for (const delivery of stuck)
    release(delivery, {
      status: "retry",
      nextRetryAt: now + 15 * seconds,
      requeues: delivery.requeues + (delivery.attempt >= maxAttempts + delivery.requeues ? 1 : 0),
      error: delivery.status === "sending" ? unknown : delivery.error,
    });
  return stuck;
}

export function switchChannel(channel: Channel, how: "enable" | "disable" | "pause", now: number): void {
  if (how === "enable") Object.assign(channel, { enabled: true, pausedUntil: null, errorStreak: 0 });
  else if (how === "disable") channel.enabled = false;
  else channel.pausedUntil = now + 60 * seconds;
}
