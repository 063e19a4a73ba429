import type { Button, Loss, MarkedText, MediaKind, Post } from "../content/index.ts";
import type { Clock } from "../kernel/clock/index.ts";
import type { HttpClient } from "../kernel/outbound/index.ts";

/** The contract every platform keeps. Adding one is a folder with these functions and a line in `registry.ts`. */
export type PlatformName = "telegram" | "max";

export interface Platform {
  readonly name: PlatformName;
  readonly limits: PlatformLimits;
  /** The exact request(s) for this post in this channel, and what was lost on the way. Pure. */
  compile(post: Post, channel: ChannelProfile): CompileResult;
  /** A compiled request as it goes over the wire and as a reader sees what it brings. Pure. */
  preview(request: CompiledRequest, channel: ChannelProfile): Preview;
  send(compiled: Compiled, context: SendContext): Promise<Outcome>;
  /** Did it arrive? Only platforms that can be read back have it. */
  find?(compiled: Compiled, context: SendContext): Promise<Found>;
  /**
   * Which chat the channel's target is, where it names one; undefined where the target is the chat's own id already. Only
   * platforms that find chats by a name have it.
   */
  resolve?(context: CheckContext): Promise<Resolved | undefined>;
  /** Can the bot post into the channel? Looks only; nothing is posted. */
  check(context: CheckContext): Promise<ChannelCheck>;
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

export interface Preview {
  /** In angle brackets stands what is known only when it is sent: the token, and what the provider calls a file. */
  readonly http: {
    readonly method: "POST";
    readonly path: string;
    readonly query: Readonly<Record<string, string>>;
    readonly body: Readonly<Record<string, unknown>>;
  };
  /** Read back from the request itself. */
  readonly shown: MarkedText & {
    readonly media: readonly CompiledMedia[];
    readonly buttons: readonly (readonly Button[])[];
  };
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
  readonly media: MediaSource;
  readonly progress: Progress;
  /** Which of these messages other deliveries of the channel have on record as theirs. */
  readonly taken?: (providerMessageIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Waits until one more request of this delivery may go out. `sendSeries` lets the first one pass. */
  readonly turn?: () => Promise<void>;
  readonly signal?: AbortSignal;
}

/** Where the files of a delivery come from, and what its provider calls them. */
export interface MediaSource {
  /**
   * Lends files in their order: by reference what the account was given before, the rest to be uploaded. Who is lent a file
   * to upload is the only one to have it for that; everybody else waits for the reference it reports, or for its end.
   */
  lend<T>(
    media: readonly CompiledMedia[],
    order: MediaOrder,
    use: (files: readonly LentFile[]) => Promise<T>,
  ): Promise<Lent<T>>;
  /** The reference by which the account can send a file that was uploaded earlier, if it is still good. */
  known(media: CompiledMedia, order: MediaOrder): Promise<string | undefined>;
}

export interface MediaOrder {
  /** Whose references are meant, such as `telegram:1001`: those of another bot are of no use. */
  readonly account: string;
  /** What the provider asks of a file, once it is known what the file is. */
  rulesFor(media: CompiledMedia, contentType: string): FileRules;
  /** References that the provider no longer takes. */
  readonly refused?: readonly string[];
}

export interface FileRules {
  /** The provider's word for this kind of file; a reference is good for one kind only. */
  readonly as: string;
  readonly maxBytes: number;
  /** Present when the file is to be shown as a picture. */
  readonly picture?: PictureRules;
}

export interface PictureRules {
  readonly contentTypes: readonly string[];
  readonly longestSide?: number;
  /** Width and height together. */
  readonly sidesSum?: number;
  /** How many times one side may be as long as the other. */
  readonly ratio?: number;
}

export type LentFile = { readonly as: string } & (
  | {
      readonly kind: "reference";
      readonly reference: string;
      /** Somebody else uploaded it meanwhile: the turn that was given before the wait is over. */
      readonly waited?: boolean;
    }
  | {
      readonly kind: "upload";
      readonly file: MediaFile;
      /** Reports what the provider calls the file now, and for how long. */
      uploaded(reference: string, goodForMs?: number): Promise<void>;
    }
);

/** The file at this place could not be lent. */
export interface MediaFault extends Pick<SendError, "category" | "code" | "message" | "retryAfterMs"> {
  readonly place: number;
}

export type Lent<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: MediaFault };

/** Bytes that are read when they are needed, as often as they are needed. */
export interface MediaFile {
  readonly size: number;
  readonly contentType: string;
  readonly fileName: string;
  open(): Promise<AsyncIterable<Uint8Array>>;
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

export type CheckContext = Pick<SendContext, "channel" | "token" | "http" | "clock" | "signal">;

/** A chat that was looked for by its name. */
export type Resolved =
  | { readonly kind: "found"; readonly name: string; readonly targetId: string; readonly title?: string }
  /** The provider says that there is none. */
  | { readonly kind: "absent" }
  /** Nobody could be asked. */
  | { readonly kind: "unavailable" };

/** What was asked of the provider in order, up to the first thing that is wrong. */
export interface ChannelCheck {
  readonly ok: boolean;
  readonly steps: readonly CheckStep[];
}

export interface CheckStep {
  readonly step: (typeof checkSteps)[number];
  /** `ok`, or what is wrong. */
  readonly finding: CheckFinding;
  /** Names that the words about it may use. */
  readonly facts?: Readonly<Record<string, string>>;
  /** What the provider said, when it refused. */
  readonly said?: string;
}

export const checkSteps = ["token", "chat", "member", "rights"] as const;

export type CheckFinding =
  | "ok"
  | "token_refused"
  | "chat_not_found"
  | "not_a_member"
  | "blocked"
  | "not_administrator"
  | "may_not_post"
  | "moved"
  | "same_chat"
  | "cannot_be_checked"
  | "unreachable";
