import type { z } from "zod";
import type { LlmError } from "./failures.ts";

/** A question to a model. Code names a policy and a prompt; the policy chooses the model. */
export interface Ask {
  readonly workspaceId: string;
  readonly policy: string;
  readonly prompt: PromptCall;
  /** Earlier messages, oldest first. */
  readonly turns?: readonly PastMessage[];
  /** The new message, after the user part of the prompt if it has one. */
  readonly parts?: readonly Part[];
  /** On whose behalf: for budgets and reports. */
  readonly userId?: string;
  /** An idempotency key: while a call with it runs or after it was answered, the model is not asked again. */
  readonly requestId?: string;
  readonly signal?: AbortSignal;
}

/**
 * The only source of the system part. `values` fill its variables and have the types that the prompt declares: listed words,
 * numbers, booleans. `data` fills the user part and may be anything, untrusted text included.
 */
export interface PromptCall {
  readonly name: string;
  readonly values?: Readonly<Record<string, string | number | boolean>>;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface PastMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

export type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly bytes: Uint8Array; readonly mediaType: string }
  | { readonly type: "audio"; readonly bytes: Uint8Array; readonly mediaType: string };

/** The same with a schema for the answer. */
export interface AskObject<T> extends Ask {
  readonly schema: z.ZodType<T>;
  /** The name of the schema for the model: Latin letters, digits, `_` and `-`. */
  readonly schemaName: string;
}

/** Pictures by one policy and prompt, drawn at the same time. */
export interface AskImages extends Omit<Ask, "turns" | "parts"> {
  /** One for each picture, up to ten. */
  readonly pictures: readonly PictureAsk[];
}

export interface PictureAsk {
  /** Fills the user part together with the prompt's own `data`. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly aspectRatio?: AspectRatio;
  readonly size?: PictureSize;
  /** Pictures to look at: for the style, or to change them. */
  readonly references?: readonly Extract<Part, { type: "image" }>[];
}

export const aspectRatios = [
  "1:1",
  "2:3",
  "3:2",
  "3:4",
  "4:3",
  "4:5",
  "5:4",
  "9:16",
  "16:9",
  "21:9",
] as const;
export type AspectRatio = (typeof aspectRatios)[number];

/** The longer side is about 1024, 2048 or 4096 pixels. */
export const pictureSizes = ["1K", "2K", "4K"] as const;
export type PictureSize = (typeof pictureSizes)[number];

/** At least one picture was drawn. */
export interface ImagesAnswer {
  /** In the order of the request. */
  readonly pictures: readonly PictureResult[];
}

export type PictureResult =
  | { readonly ok: true; readonly picture: Picture }
  | { readonly ok: false; readonly error: LlmError };

/** A file that was opened and is a picture. */
export interface Picture {
  readonly bytes: Uint8Array;
  readonly mediaType: "image/png" | "image/jpeg" | "image/webp";
  readonly width: number;
  readonly height: number;
}

export type Answered<T> =
  | ({ readonly ok: true; readonly meta: CallMeta } & T)
  | { readonly ok: false; readonly error: LlmError; readonly meta: CallMeta };

export interface TextAnswer {
  readonly text: string;
  /** The model refused; `text` is its refusal. */
  readonly refused: boolean;
  /** The answer reached the policy's limit of tokens. */
  readonly truncated: boolean;
}

export interface ObjectAnswer<T> {
  readonly object: T;
}

/** Facts about a call. If it failed before a model was asked, model and provider are those of the policy. */
export interface CallMeta {
  /** Absent when nothing was reserved. */
  readonly callId?: string;
  readonly policy: string;
  readonly provider?: string;
  /** The model that answered, as the provider reports it. */
  readonly model?: string;
  readonly promptVersion?: number;
  readonly requests: number;
  readonly fallbackUsed: boolean;
  readonly repaired: boolean;
  readonly usage: Usage;
  readonly latencyMs: number;
}

export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  /** Dollars; null if neither the provider nor a price tells. */
  readonly costUsd: number | null;
}

/** The text as it comes, and at the end the result of `text`. Leaving the loop early cancels the call. */
export interface WordStream {
  readonly words: AsyncIterable<string>;
  readonly answered: Promise<Answered<TextAnswer>>;
}
