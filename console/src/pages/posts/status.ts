/** Statuses as people see them: a tone, a colour of the bar, and which of them can still be changed. */
import type { Tone } from "../../ui/index.ts";
import { type Delivery, type Stage, type Status, statuses } from "./shapes.ts";

export const tones: Readonly<Record<Stage, Tone>> = {
  queued: "idle",
  claimed: "idle",
  sending: "busy",
  retry: "warn",
  sent: "good",
  deduped: "idle",
  failed_permanent: "bad",
  dead: "bad",
  withdrawn: "idle",
  held: "warn",
};

export const waiting: readonly Status[] = ["queued", "claimed", "retry"];
export const failed: readonly Status[] = ["failed_permanent", "dead"];

export const isStatus = (word: string): word is Status => statuses.some((status) => status === word);
export const isWaiting = ({ status }: Pick<Delivery, "status">) => waiting.includes(status);
export const isFailed = ({ status }: Pick<Delivery, "status">) => failed.includes(status);

export function stageOf({
  status,
  held,
  withdrawn_at,
}: Pick<Delivery, "status" | "held" | "withdrawn_at">): Stage {
  if (withdrawn_at !== null) return "withdrawn";
  return held !== null ? "held" : status;
}

/** The segments of the bar, in the order in which they stand. */
export const segments = ["sent", "deduped", "withdrawn", "moving", "failed"] as const;
export type Segment = (typeof segments)[number];

export type Progress = Readonly<Record<Segment, number>>;

export function progressOf(counts: Readonly<Record<string, number>>): Progress {
  const sum = (stages: readonly Stage[]) => stages.reduce((total, stage) => total + (counts[stage] ?? 0), 0);
  return {
    sent: sum(["sent"]),
    deduped: sum(["deduped"]),
    withdrawn: sum(["withdrawn"]),
    moving: sum(["queued", "claimed", "sending", "retry"]),
    failed: sum(["failed_permanent", "dead"]),
  };
}

export const totalOf = (progress: Progress) => segments.reduce((total, name) => total + progress[name], 0);
