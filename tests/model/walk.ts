import { expect } from "vitest";
import type { Correction } from "./correction-model.ts";
import * as corrections from "./correction-model.ts";
import type { Operation } from "./operation.ts";
import type { Delivery, Queue } from "./queue-model.ts";
import * as model from "./queue-model.ts";
import type { RealQueue } from "./real-queue.ts";

/** How many deliveries may wait before a post is left out, and how many one claim may take. */
const crowd = 24;
const limit = 100;

/**
 * Applies each operation to the real queue and to the model, and compares their whole states after each. If several
 * callers did it at once, their answers together must match some order of them.
 */
export async function walk(real: RealQueue, operations: readonly Operation[], begin: number): Promise<void> {
  let now = begin;
  let posts = 0;
  let queue = await real.read();
  const tokens = new Map<string, string>();
  const all = () => [...queue.deliveries.values()];
  const picked = (pick: number): Delivery | undefined =>
    all().toSorted(byId)[pick % Math.max(1, all().length)];

  for (const [step, operation] of operations.entries()) {
    switch (operation.kind) {
      case "wait":
        now += operation.ms;
        continue;
      case "post": {
        if (all().filter(({ status }) => !ended.has(status)).length > crowd) continue;
        posts += 1;
        await real.post(`Пост ${posts}`, now, operation.times);
        queue = withPosted(queue, await real.read(), now);
        break;
      }
      case "publish": {
        const channel = [...queue.channels.values()].filter(({ isConnection }) => isConnection)[
          operation.channel
        ];
        const waiting = all().filter(({ told, status }) => told && !ended.has(status));
        if (!channel || waiting.length > crowd / 4) continue;
        posts += 1;
        const waitUntil = operation.waits ? now + 180_000 : null;
        const answers = await real.publish(channel.id, `step-${posts}`, waitUntil, now, operation.times);
        // The same step by several is one delivery; a channel that is switched off refuses the post as a whole.
        expect(new Set(answers).size).toBe(1);
        const [id] = answers;
        expect(id !== null).toBe(channel.enabled);
        if (id) queue.deliveries.set(id, model.publish(channel, id, waitUntil, now));
        break;
      }
      case "stop_waiting": {
        const counts = await real.stopWaiting(now, operation.times);
        const late = model.stopWaiting(queue, now);
        expect(counts.reduce((sum, count) => sum + count)).toBe(late.length);
        break;
      }
      case "renew": {
        const channel = [...queue.channels.values()].filter(({ isConnection }) => isConnection)[
          operation.channel
        ];
        if (channel) expect(await real.renew(channel.id, now)).toBe(model.renew(channel));
        break;
      }
      case "claim": {
        const answers = await real.claim(now, limit, operation.times);
        if (operation.times === 1) model.claim(queue, now, limit);
        else adoptClaims(queue, answers.flat(), now, operation.times);
        break;
      }
      case "start": {
        const started = (await real.start(now, operation.times)).flat();
        expect(ids(started)).toEqual(ids(model.start(queue, now)));
        for (const { id, token } of started) tokens.set(id, token);
        break;
      }
      case "settle": {
        const sending = all()
          .filter(({ status }) => status === "sending")
          .toSorted(byId);
        const outcomes = operation.outcomes.flatMap((kind, index) => {
          const delivery = sending[index];
          const token = delivery && tokens.get(delivery.id);
          return token ? [{ delivery, id: delivery.id, token, kind }] : [];
        });
        const answers = (await real.settle(outcomes, now, operation.times)).flat();
        expect(ids(answers.filter(({ applied }) => applied))).toEqual(ids(outcomes));
        const { deliveries } = await real.read();
        const retryAt = (id: string) => deliveries.get(id)?.nextRetryAt ?? null;
        for (const { delivery, kind, id } of outcomes) expectBackoff(delivery, kind, retryAt(id), now);
        model.settle(
          queue,
          outcomes.map((outcome) => ({ ...outcome, retryAt: retryAt(outcome.id) })),
          now,
        );
        break;
      }
      case "settle_stale": {
        const delivery = picked(operation.pick);
        if (!delivery) continue;
        const [answers] = await real.settle([{ id: delivery.id, token: "чужой", kind: "sent" }], now, 1);
        expect(answers).toEqual([{ id: delivery.id, applied: false }]);
        break;
      }
      case "recover": {
        const recovered = (await real.recover(operation.leaseMs, now, operation.times)).flat();
        const expected = model.recover(queue, operation.leaseMs, now);
        expect(recovered.toSorted()).toEqual(ids(expected.recovered));
        const after = await real.read();
        for (const delivery of expected.retried) {
          delivery.nextRetryAt = after.deliveries.get(delivery.id)?.nextRetryAt ?? null;
          expectWithin(delivery.nextRetryAt, now + 10_000, now + 30_000);
        }
        corrections.takeBackCorrections(queue, operation.leaseMs, dueIn(after, now + 10_000), now);
        break;
      }
      case "gone": {
        const recovered = (await real.gone(leastWaitMs, now, operation.times)).flat();
        const expected = model.gone(queue);
        expect(recovered.toSorted()).toEqual(ids(expected.recovered));
        const after = await real.read();
        for (const delivery of expected.retried) {
          delivery.nextRetryAt = after.deliveries.get(delivery.id)?.nextRetryAt ?? null;
          expectWithin(delivery.nextRetryAt, now + leastWaitMs, now + 30_000);
        }
        corrections.takeBackCorrections(queue, null, dueIn(after, now + leastWaitMs), now);
        break;
      }
      case "turn": {
        const delivery = picked(operation.pick);
        if (!delivery) continue;
        const token = tokens.get(delivery.id) ?? "никакой";
        expect(await real.takeTurn(delivery.id, token, now)).toBe(model.takeTurn(queue, delivery, now));
        break;
      }
      case "operate": {
        const delivery = picked(operation.pick);
        if (!delivery) continue;
        const done = await real.operate(operation.what, delivery.id, now, operation.times);
        // Of several callers one succeeds, and the others find it done.
        const expected = model.operations[operation.what](delivery, now, queue.channels.get(delivery.channel))
          ? 1
          : 0;
        expect(done.filter(Boolean)).toHaveLength(expected);
        break;
      }
      case "correct": {
        const delivery = picked(operation.pick);
        if (!delivery) continue;
        const answers = await real.correct(operation.what, delivery.id, now, operation.times);
        const expected = Array.from({ length: operation.times }, () =>
          corrections.order(queue, delivery, operation.what, now),
        );
        expect(answers.toSorted()).toEqual(expected.toSorted());
        // Ids are the database's; which is which their numbers tell.
        const made = (await real.read()).corrections;
        for (const one of queue.corrections) one.id ||= sameIn(made, one)?.id ?? "";
        break;
      }
      case "start_corrections": {
        const started = (await real.startCorrections(now, operation.times)).flat();
        expect(ids(started)).toEqual(ids(corrections.startCorrections(queue, now)));
        for (const { id, token } of started) tokens.set(id, token);
        break;
      }
      case "settle_corrections": {
        const sending = queue.corrections.filter(({ status }) => status === "sending");
        const outcomes = operation.outcomes.flatMap((kind, index) => {
          const correction = sending[index];
          const token = correction && tokens.get(correction.id);
          return token ? [{ correction, id: correction.id, token, kind }] : [];
        });
        const answers = (await real.settleCorrections(outcomes, now, operation.times)).flat();
        expect(ids(answers.filter(({ applied }) => applied))).toEqual(ids(outcomes));
        const after = await real.read();
        corrections.settleCorrections(queue, outcomes, dueIn(after, now), now);
        break;
      }
      case "correction_turn": {
        const correction = queue.corrections[operation.pick % Math.max(1, queue.corrections.length)];
        if (!correction) continue;
        const token = tokens.get(correction.id) ?? "никакой";
        const channel = queue.channels.get(correction.channel);
        const mayAsk = correction.status === "sending" && channel;
        if (mayAsk) correction.sendingStartedAt = now;
        expect(await real.takeCorrectionTurn(correction.id, token, now)).toBe(
          mayAsk ? model.passGate(queue, channel, now) : false,
        );
        break;
      }
      case "release_stuck":
        expect((await real.releaseStuck(operation.olderThanMs, now)).toSorted()).toEqual(
          ids(model.releaseStuck(queue, operation.olderThanMs, now)),
        );
        break;
      case "switch": {
        const channel = [...queue.channels.values()][operation.channel];
        if (!channel) continue;
        await real.switchChannel(channel.id, operation.how, now);
        model.switchChannel(channel, operation.how, now);
        break;
      }
    }
    const different = differences(await real.read(), queue);
    if (different.length > 0)
      throw new Error(`after step ${step} (${JSON.stringify(operation)}):\n${different.join("\n")}`);
  }
}

const sameIn = (all: readonly Correction[], { delivery, number }: Correction) =>
  all.find((one) => one.delivery === delivery && one.number === number);

/** When the database tries a correction again: not before the time given. */
const dueIn = (after: Queue, least: number) => (correction: Correction) => {
  const { dueAt } = sameIn(after.corrections, correction) ?? correction;
  expect(dueAt).toBeGreaterThanOrEqual(least - 0.001);
  return dueAt;
};

/** A request that a process had sent before it was cut off has ended by then. */
const leastWaitMs = 25_000;

const ended = new Set<Delivery["status"]>(["sent", "failed_permanent", "dead"]);
const byId = (one: Delivery, other: Delivery) => (one.id < other.id ? -1 : 1);
const ids = (values: readonly { readonly id: string }[]) => values.map(({ id }) => id).toSorted();

/** A line for every difference between the tables and the model. */
function differences(real: Queue, expected: Queue): string[] {
  const [is, should] = [linesOf(real), linesOf(expected)];
  return [
    ...is.filter((line) => !should.includes(line)).map((line) => `is     ${line}`),
    ...should.filter((line) => !is.includes(line)).map((line) => `should ${line}`),
  ];
}

const linesOf = ({ deliveries, corrections, channels, cooldownUntil }: Queue) =>
  [...deliveries.values(), ...corrections, ...channels.values(), { cooldownUntil }].map(shown);

const shown = (value: object) => JSON.stringify(Object.fromEntries(Object.entries(value).sort()));

/** Every enabled channel has the post once, however often it was sent. */
function withPosted(before: Queue, after: Queue, now: number): Queue {
  const fresh = [...after.deliveries.values()].filter(({ id }) => !before.deliveries.has(id));
  const enabled = [...before.channels.values()].filter((channel) => channel.enabled && !channel.isConnection);
  expect(fresh.map(({ channel }) => channel).toSorted()).toEqual(enabled.map(({ id }) => id).toSorted());
  for (const { id, channel } of fresh)
    before.deliveries.set(id, {
      id,
      channel,
      status: "queued",
      attempt: 0,
      requeues: 0,
      held: false,
      notBefore: now,
      placeInQueue: now,
      nextRetryAt: null,
      claimedAt: null,
      sendingStartedAt: null,
      error: null,
      waitUntil: null,
      told: null,
      withdrawn: false,
    });
  return before;
}

/**
 * Claims at the same time: nobody got what another got, each thing they got was there to be had, a limited channel's slots
 * follow one another, and no channel got more than each of them alone could have given it.
 */
function adoptClaims(
  queue: Queue,
  claimed: readonly { readonly id: string; readonly notBefore: number }[],
  now: number,
  times: number,
): void {
  expect(new Set(claimed.map(({ id }) => id)).size).toBe(claimed.length);
  const alone = structuredClone(queue);
  const first = model.claim(alone, now, limit);
  expect(claimed.length).toBeGreaterThanOrEqual(first.length);
  for (const channel of queue.channels.values()) {
    const got = claimed
      .filter(({ id }) => queue.deliveries.get(id)?.channel === channel.id)
      .toSorted((one, other) => one.notBefore - other.notBefore);
    if (got.length === 0) continue;
    const room = model.roomOf(queue, channel);
    expect(got.length).toBeLessThanOrEqual(channel.rps === null ? room * times : room);
    const base = Math.max(now, channel.nextAllowedAt ?? now);
    for (const [place, { id, notBefore }] of got.entries()) {
      const delivery = queue.deliveries.get(id);
      if (!delivery) throw new Error(`${id} was claimed and never posted`);
      expect(["queued", "retry"]).toContain(delivery.status);
      expect(delivery.held || model.dueAt(delivery) > now).toBe(false);
      expect(notBefore).toBe(
        channel.rps === null ? model.dueAt(delivery) : base + (place * 1_000) / channel.rps,
      );
      Object.assign(delivery, { status: "claimed", claimedAt: now, notBefore });
    }
    if (channel.rps !== null) channel.nextAllowedAt = base + (got.length * 1_000) / channel.rps;
  }
}

/**
 * Two seconds doubled each time, three times as long after an unknown outcome, with a fifth of jitter; what a provider
 * asked for only grows, by a tenth at most.
 */
function expectBackoff(
  delivery: Delivery,
  kind: model.OutcomeKind,
  retryAt: number | null,
  now: number,
): void {
  if (retryAt === null) return;
  const backoffMs = Math.min(600, 2 ** delivery.attempt * (kind === "unknown" ? 3 : 1)) * 1_000;
  if (kind === "asked_to_wait")
    expectWithin(retryAt, now + model.askedToWaitMs, now + model.askedToWaitMs * 1.1);
  else expectWithin(retryAt, now + backoffMs * 0.8, now + backoffMs * 1.2);
}

function expectWithin(value: number | null, least: number, most: number): void {
  // PostgreSQL rounds to microseconds.
  expect(value).toBeGreaterThanOrEqual(least - 0.001);
  expect(value).toBeLessThanOrEqual(most + 0.001);
}
