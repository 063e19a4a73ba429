import fc from "fast-check";
import type { OutcomeKind, operations } from "./queue-model.ts";

/** One thing that somebody does to the queue. `times` of them do it at once, each over a connection of its own. */
export type Operation =
  | { readonly kind: "post"; readonly times: number }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "claim"; readonly times: number }
  | { readonly kind: "start"; readonly times: number }
  | { readonly kind: "settle"; readonly outcomes: readonly OutcomeKind[]; readonly times: number }
  | { readonly kind: "settle_stale"; readonly pick: number }
  | { readonly kind: "recover"; readonly leaseMs: number; readonly times: number }
  | { readonly kind: "gone"; readonly times: number }
  | { readonly kind: "turn"; readonly pick: number }
  | { readonly kind: "operate"; readonly what: Deed; readonly pick: number; readonly times: number }
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

/** The way through the queue is taken more often than the rest, so that everything is met in every state. */
export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("post"), times }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("wait"),
      ms: fc.constantFrom(1, 40, 300, 505, 1_000, 5_000, 40_000, 700_000),
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
      channel: fc.nat(2),
      how: fc.constantFrom("enable", "enable", "disable", "pause"),
    }),
  },
);
