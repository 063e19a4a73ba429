import type { Loss, MediaKind, Post } from "../content/index.ts";
import type { Clock } from "../kernel/clock/index.ts";
import type { HttpClient } from "../kernel/outbound/index.ts";

/** The contract every platform keeps. Adding one is a folder with these functions and a line in `registry.ts`. */
export type PlatformName = "telegram" | "max";

export interface Platform {
  readonly name: PlatformName;
  readonly limits: PlatformLimits;
  /** The exact request(s) for this post in this channel, and what was lost on the way. Pure. */
  compile(post: Post, channel: ChannelProfile): CompileResult;
  send(compiled: Compiled, context: SendContext): Promise<Outcome>;
  /** Did it arrive? Only platforms that can be read back have it. */
  find?(compiled: Compiled, context: SendContext): Promise<Found>;
}

/** Lengths, counts, sizes and rates a provider accepts: data, not code. */
export interface PlatformLimits {
  readonly text: number;
  readonly caption: number;
  readonly album: { readonly min: number; readonly max: number };
  readonly perChatPerSecond: number;
  readonly perBotPerSecond: number;
}

/** What compiling may depend on: the channel's own settings, never its credentials. */
export interface ChannelProfile {
  readonly platform: PlatformName;
  readonly targetId: string;
  readonly sendMode: "text" | "media" | "mixed";
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * One provider request, complete but for what is known only when it is sent: the target, the credentials and
 * the provider's references of its media. JSON-serialisable: it is stored with the delivery.
 */
export interface CompiledRequest {
  readonly method: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** What a reader sees of this request, without markup. */
  readonly text: string;
  /** Media of this request, in order; resolved to provider references just before sending. */
  readonly media: readonly CompiledMedia[];
}

export interface CompiledMedia {
  readonly kind: MediaKind;
  readonly url?: string;
  readonly blobRef?: string;
  /** A reference that Telegram gave for this file earlier. */
  readonly fileId?: string;
}

export interface Compiled {
  readonly platform: PlatformName;
  readonly requests: readonly CompiledRequest[];
  /** What a reader sees, without markup. */
  readonly plainText: string;
  readonly losses: readonly Loss[];
}

export type CompileResult =
  | { readonly ok: true; readonly compiled: Compiled }
  | { readonly ok: false; readonly error: SendError };

export interface SendContext {
  readonly channel: ChannelProfile;
  readonly token: string;
  readonly idempotencyKey: string;
  readonly http: HttpClient;
  readonly clock: Clock;
  /** When this delivery was first sent; nothing of it can have arrived earlier. */
  readonly since: Date;
  /** Messages that are known to be others: an equal text among them is not this one. */
  readonly others?: readonly string[];
  readonly media: MediaSource;
  readonly progress: Progress;
  /** Waits until one more request of this delivery may go out; asked before each but the first. */
  readonly turn?: () => Promise<void>;
  readonly signal?: AbortSignal;
}

/** Where the bytes of media come from, and what providers called them. */
export interface MediaSource {
  /** The bytes, or nothing when there are none to be had here and the provider must fetch the address itself. */
  open(media: CompiledMedia): Promise<MediaBytes | undefined>;
  /** The provider's reference for a file that was uploaded earlier and is still good. */
  known?(media: CompiledMedia): Promise<string | undefined>;
  remember?(media: CompiledMedia, reference: string): Promise<void>;
}

export interface MediaBytes {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly fileName: string;
}

/** Which requests of this post were acknowledged, and how to record one more. See `trackProgress`. */
export interface Progress {
  /** Provider ids of acknowledged requests by index; shows at once what `acknowledge` was told. */
  readonly acknowledged: readonly (string | undefined)[];
  acknowledge(index: number, providerMessageId: string): Promise<void>;
}

/** A send has three outcomes, not two: it happened, it did not, or nobody knows. */
export type Outcome =
  | {
      readonly kind: "sent";
      readonly providerMessageId: string;
      readonly url?: string;
      readonly raw: unknown;
    }
  | { readonly kind: "failed"; readonly error: SendError }
  | { readonly kind: "unknown"; readonly error: SendError };

export type Found =
  | {
      readonly kind: "found";
      readonly providerMessageId: string;
      readonly url?: string;
      readonly raw: unknown;
    }
  /** Not all of it arrived. What did is in `progress` now, so that `send` sends the rest. */
  | { readonly kind: "absent" }
  | { readonly kind: "unavailable"; readonly error: SendError };

/** The document's normalised error. `raw` is what the provider said, without secrets. */
export interface SendError {
  readonly category: "TRANSIENT" | "PERMANENT";
  readonly scope: "delivery" | "channel" | "platform";
  readonly code: string;
  readonly message: string;
  readonly retryAfterMs?: number;
  readonly raw?: unknown;
}
