import type { ModelMessage } from "ai";
import type { Ask } from "../ask.ts";
import type { Estimate } from "../estimate.ts";
import type { Candidate, Policy, Price } from "../policies/briefing.ts";
import type { JsonSchema, Said } from "../providers/send.ts";
import type { Held, RequestRow } from "./books.ts";
import type { Judged } from "./judge.ts";

/** A question that is ready to be asked: the policy is known, the prompt is rendered, its price is estimated. */
export interface Question<T> {
  readonly ask: Ask;
  readonly kind: Held["kind"];
  readonly policy: Policy;
  readonly prices: readonly Price[];
  readonly promptVersion: number;
  /** Of the briefing that it was made from. */
  readonly stamp: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly estimate: Estimate;
  readonly shape?: { readonly name: string; readonly schema: JsonSchema };
  judge(said: Said): Judged<T>;
  /** What to say to a model that has answered in a wrong shape. */
  repair?(faults: string): Promise<{ readonly system: string; readonly user: string }>;
  readonly onWords?: (words: string) => void;
}

/** How far a call has come. */
export interface Progress {
  readonly callId: string;
  readonly rows: RequestRow[];
  /** Who was asked last. */
  candidate?: Candidate;
}
