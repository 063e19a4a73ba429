import type { z } from "zod";
import type { LlmError } from "./failures.ts";

/** A question to a model. Code names a policy and a prompt; which model answers is the policy's business. */
export interface Ask {
  readonly workspaceId: string;
  readonly policy: string;
  readonly prompt: PromptCall;
  /** What was said before, oldest first. */
  readonly turns?: readonly PastMessage[];
  /** What is asked now, after the user part of the prompt if it has one. */
  readonly parts?: readonly Part[];
  /** On whose behalf: for budgets and reports. */
  readonly userId?: string;
  /** The caller's own id of what it does: while it is being answered or once it is, the model is not asked again. */
  readonly requestId?: string;
  readonly signal?: AbortSignal;
}

/**
 * The only way to words of the system. `values` fill its blanks and are of the kinds that the prompt declares: listed
 * words, numbers, yes or no. `data` fills the user part and may be anything, a stranger's text included.
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

/** The same with the shape that the answer must have. */
export interface AskObject<T> extends Ask {
  readonly schema: z.ZodType<T>;
  /** What the model is told the shape is called: Latin letters, digits, `_` and `-`. */
  readonly schemaName: string;
}

export type Answered<T> =
  | ({ readonly ok: true; readonly meta: CallMeta } & T)
  | { readonly ok: false; readonly error: LlmError; readonly meta: CallMeta };

export interface TextAnswer {
  readonly text: string;
  /** The model declined, and `text` is how it put it. */
  readonly refused: boolean;
  /** It ran into the policy's limit of tokens. */
  readonly truncated: boolean;
}

export interface ObjectAnswer<T> {
  readonly object: T;
}

/** What became of a call. Of one that failed before a model was asked, model and provider are those that would have been. */
export interface CallMeta {
  /** Absent when nothing was reserved. */
  readonly callId?: string;
  readonly policy: string;
  readonly provider?: string;
  /** The model that answered, by its own account. */
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
  /** Dollars; null when neither the provider nor a price says. */
  readonly costUsd: number | null;
}

/** Words as they come, and in the end what `text` would have given. Leaving the loop early calls the whole off. */
export interface WordStream {
  readonly words: AsyncIterable<string>;
  readonly answered: Promise<Answered<TextAnswer>>;
}
