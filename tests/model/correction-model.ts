import {
  askedToWaitMs,
  cooldownMs,
  type Delivery,
  errorOf,
  isBlocked,
  maxAttempts,
  type OutcomeKind,
  operations,
  passGate,
  type Queue,
  underWay,
} from "./queue-model.ts";

/** What is done to a post after it was sent, as it is promised. */
export interface Correction {
  /** Chosen by the database. */
  id: string;
  readonly delivery: string;
  readonly channel: string;
  readonly number: number;
  readonly kind: "edit" | "remove";
  status: "queued" | "sending" | "retry" | "done" | "failed_permanent" | "dead" | "superseded";
  attempt: number;
  dueAt: number;
  sendingStartedAt: number | null;
}

export type Action = "edit" | "remove" | "after_sending" | "replaced" | "cancelled" | "none" | "refused";

/** How far ahead a turn is given. */
const leadMs = 250;

const isWaiting = ({ status }: Correction) => status === "queued" || status === "retry";
const isLive = (one: Correction) => isWaiting(one) || one.status === "sending";
const ofDelivery = ({ corrections }: Queue, id: string) =>
  corrections.filter(({ delivery }) => delivery === id);
const waitingOf = (queue: Queue, id: string) => ofDelivery(queue, id).find(isWaiting);

/** Orders a correction of one delivery. */
export function order(queue: Queue, delivery: Delivery, kind: "edit" | "remove", now: number): Action {
  const action = actionOf(queue, delivery, kind);
  if (action === "cancelled") operations.cancel(delivery, now);
  if (action === "refused") add(queue, delivery, kind, "failed_permanent", now);
  if (action === "edit" || action === "remove" || action === "after_sending") {
    const older = waitingOf(queue, delivery.id);
    if (older) older.status = "superseded";
    add(queue, delivery, kind, "queued", Math.max(now, older?.dueAt ?? now));
  }
  return action;
}

function actionOf(queue: Queue, delivery: Delivery, kind: "edit" | "remove"): Action {
  if (delivery.status === "failed_permanent" || delivery.status === "dead") return "none";
  const isGoing = ofDelivery(queue, delivery.id).some((one) => isLive(one) && one.kind === "remove");
  if (delivery.withdrawn || isGoing) {
    if (kind === "remove") return "none";
    // A refusal is on record where there is something to be corrected.
    return "refused";
  }
  const inDoubt = delivery.error?.code === "outcome_unknown";
  if (["queued", "claimed", "retry"].includes(delivery.status) && !inDoubt)
    return kind === "edit" ? "replaced" : "cancelled";
  return delivery.status === "sent" ? kind : "after_sending";
}

function add(
  queue: Queue,
  { id, channel, status: post }: Delivery,
  kind: "edit" | "remove",
  status: "queued" | "failed_permanent",
  dueAt: number,
): void {
  if (status === "failed_permanent" && post !== "sent") return;
  const number = Math.max(0, ...ofDelivery(queue, id).map((one) => one.number)) + 1;
  queue.corrections.push({
    ...{ id: "", delivery: id, channel, number, kind, status, attempt: 0, dueAt, sendingStartedAt: null },
  });
}

/** What begins now, in the order of its time; what has nothing to correct any more ends. */
export function startCorrections(queue: Queue, now: number): Correction[] {
  const due = queue.corrections
    .filter((one) => isWaiting(one) && one.dueAt <= now)
    .toSorted((one, other) => one.dueAt - other.dueAt || (one.id < other.id ? -1 : 1));
  const room = new Map(
    [...queue.channels.values()]
      .filter((channel) => !isBlocked(queue, channel, now))
      .map((channel) => [channel.id, channel.maxParallel - underWay(queue, channel)]),
  );
  const started: Correction[] = [];
  for (const correction of due) {
    const channel = queue.channels.get(correction.channel);
    const free = room.get(correction.channel) ?? 0;
    if (!channel || free <= 0) continue;
    const post = queue.deliveries.get(correction.delivery);
    if (post?.status === "failed_permanent" || post?.status === "dead")
      correction.status = "failed_permanent";
    const isBusy = ofDelivery(queue, correction.delivery).some(({ status }) => status === "sending");
    if (post?.status !== "sent" || isBusy) continue;
    if (!passGate(queue, channel, now, leadMs)) {
      room.delete(correction.channel);
      continue;
    }
    room.set(correction.channel, free - 1);
    Object.assign(correction, { status: "sending", attempt: correction.attempt + 1, sendingStartedAt: now });
    started.push(correction);
  }
  return started;
}

/** The ends of attempts; `dueAt` tells what the database chose for the next try, of it or of a newer one. */
export function settleCorrections(
  queue: Queue,
  outcomes: readonly { readonly correction: Correction; readonly kind: OutcomeKind }[],
  dueAt: (correction: Correction) => number,
  now: number,
): void {
  for (const { correction, kind } of outcomes) {
    const spent = correction.attempt >= maxAttempts;
    const status =
      kind === "sent" ? "done" : kind.endsWith("refused") ? "failed_permanent" : spent ? "dead" : "retry";
    end(queue, correction, status, dueAt);
    const post = queue.deliveries.get(correction.delivery);
    if (status === "done" && correction.kind === "remove" && post) post.withdrawn = true;
    const error = errorOf(kind);
    if (error?.scope === "platform")
      queue.cooldownUntil = Math.max(
        queue.cooldownUntil ?? 0,
        now + (error.asked ? askedToWaitMs : cooldownMs),
      );
  }
}

function end(
  queue: Queue,
  correction: Correction,
  status: Correction["status"],
  dueAt: (correction: Correction) => number,
): void {
  const newer = waitingOf(queue, correction.delivery);
  Object.assign(correction, { status, sendingStartedAt: null });
  if (status !== "retry") return;
  if (newer) {
    correction.status = "superseded";
    newer.dueAt = dueAt(newer);
  } else correction.dueAt = dueAt(correction);
}

/** What dead processes had in hand: all of it, or what was under way for longer than the lease. */
export function takeBackCorrections(
  queue: Queue,
  leaseMs: number | null,
  dueAt: (correction: Correction) => number,
  now: number,
): Correction[] {
  const stale = queue.corrections.filter(
    ({ status, sendingStartedAt }) =>
      status === "sending" && (leaseMs === null || (sendingStartedAt ?? now) < now - leaseMs),
  );
  for (const correction of stale) {
    const newer = waitingOf(queue, correction.delivery);
    const spent = correction.attempt >= maxAttempts;
    // Even one whose attempts are used up may still arrive.
    if (newer) newer.dueAt = dueAt(newer);
    Object.assign(correction, {
      status: spent ? "dead" : newer ? "superseded" : "retry",
      sendingStartedAt: null,
    });
    if (correction.status === "retry") correction.dueAt = dueAt(correction);
  }
  return stale;
}
