import fc from "fast-check";
import type { OutcomeKind, operations } from "./queue-model.ts";

/** One operation on the queue. `times` callers do it at once, each over its own connection. */
export type Operation =
  | { readonly kind: "post"; readonly times: number }
  /** A product's post to a connection, repeated with the same step as often; `waits`: a person waits for it. */
  | { readonly kind: "publish"; readonly channel: number; readonly waits: boolean; readonly times: number }
  | { readonly kind: "stop_waiting"; readonly times: number }
  | { readonly kind: "renew"; readonly channel: number }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "claim"; readonly times: number }
  | { readonly kind: "start"; readonly times: number }
  | { readonly kind: "settle"; readonly outcomes: readonly OutcomeKind[]; readonly times: number }
  | { readonly kind: "settle_stale"; readonly pick: number }
  | { readonly kind: "recover"; readonly leaseMs: number; readonly times: number }
  | { readonly kind: "gone"; readonly times: number }
  | { readonly kind: "turn"; readonly pick: number }
  | { readonly kind: "operate"; readonly what: Deed; readonly pick: number; readonly times: number }
  | {
      readonly kind: "correct";
      readonly what: "edit" | "remove";
      readonly pick: number;
      readonly times: number;
    }
  | { readonly kind: "start_corrections"; readonly times: number }
  | { readonly kind: "settle_corrections"; readonly outcomes: readonly OutcomeKind[]; readonly times: number }
  | { readonly kind: "correction_turn"; readonly pick: number }
  | { readonly kind: "release_stuck"; readonly olderThanMs: number }
  | { readonly kind: "switch"; readonly channel: number; readonly how: "enable" | "disable" | "pause" };

export type Deed = keyof typeof operations;

const times = fc.integer({ min: 1, max: 3 });
const pick = fc.nat(1_000);
const outcome = fc.constantFrom<OutcomeKind>(
  "sent",
  "sent",
  "unknown",
  "transient",
  "transient",
  "asked_to_wait",
  "refused",
  "channel_refused",
  "platform_refused",
);
const deeds: readonly Deed[] = ["requeue", "cancel", "hold", "release", "send_now"];

/** The normal path is taken more often than the rest, so that every state is met. */
export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("post"), times }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("publish"),
      channel: fc.nat(1),
      waits: fc.boolean(),
      times,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("stop_waiting"), times }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("renew"), channel: fc.nat(1) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("wait"),
      ms: fc.constantFrom(1, 40, 300, 505, 1_000, 5_000, 40_000, 180_000, 700_000),
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("claim"), times }) },
  { weight: 9, arbitrary: fc.record({ kind: fc.constant("start"), times }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("settle"),
      outcomes: fc.array(outcome, { minLength: 1, maxLength: 4 }),
      times,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("settle_stale"), pick }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("recover"), leaseMs: fc.constantFrom(4_000, 300_000), times }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("gone"), times }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("turn"), pick }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("operate"), what: fc.constantFrom(...deeds), pick, times }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant("correct"),
      what: fc.constantFrom("edit", "edit", "edit", "remove"),
      pick,
      times,
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("start_corrections"), times }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("settle_corrections"),
      outcomes: fc.array(outcome, { minLength: 1, maxLength: 4 }),
      times,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("correction_turn"), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("release_stuck"),
      olderThanMs: fc.constantFrom(4_000, 300_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("switch"),
      channel: fc.nat(4),
      how: fc.constantFrom("enable", "enable", "disable", "pause"),
    }),
  },
);
