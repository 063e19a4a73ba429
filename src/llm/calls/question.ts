import type { ModelMessage } from "ai";
import type { Ask } from "../ask.ts";
import type { Estimate } from "../estimate.ts";
import type { Candidate, Policy, Price } from "../policies/briefing.ts";
import type { JsonSchema, PictureRequest, Said } from "../providers/model-call.ts";
import type { RequestRow, Reservation } from "./books.ts";
import type { Judged } from "./judge-answer.ts";

/** A question that is ready to be sent: with its policy, rendered prompt and estimated price. */
export interface Question<T> {
  readonly ask: Ask;
  readonly kind: Reservation["kind"];
  readonly policy: Policy;
  readonly prices: readonly Price[];
  readonly promptVersion: number;
  /** The stamp of the briefing that it was made from. */
  readonly stamp: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly estimate: Estimate;
  readonly shape?: { readonly name: string; readonly schema: JsonSchema };
  /** A picture is asked for, not text. */
  readonly picture?: PictureRequest | undefined;
  judge(said: Said): Judged<T> | Promise<Judged<T>>;
  /** The prompt for a model that has answered in a wrong shape. */
  repair?(errors: string): Promise<{ readonly system: string; readonly user: string }>;
  readonly onWords?: (words: string) => void;
}

/** The progress of a call. */
export interface Progress {
  readonly callId: string;
  readonly rows: RequestRow[];
  /** The model that was asked last. */
  candidate?: Candidate;
}
