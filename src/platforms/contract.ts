import type { Button, Loss, MarkedText, MediaKind, Post } from "../content/index.ts";
import type { Clock } from "../kernel/clock/index.ts";
import type { HttpClient } from "../kernel/outbound/index.ts";

/** A name in the registry. */
export type PlatformName = string;

/** What a platform does. Its names, fields and rules are in its `PlatformDefinition`. */
export interface Platform {
  readonly name: PlatformName;
  readonly limits: PlatformLimits;
  /** The exact request(s) for this post in this channel, and what was lost on the way. Pure. */
  compile(post: Post, channel: ChannelProfile): CompileResult;
  /** A compiled request as it is sent, and as a reader sees the result. Pure. */
  preview(request: CompiledRequest, channel: ChannelProfile): Preview;
  send(compiled: Compiled, context: SendContext): Promise<Outcome>;
  /** Checks whether the post arrived. Only on platforms where posts can be read back. */
  find?(compiled: Compiled, context: SendContext): Promise<Found>;
  /** Why a post cannot be changed or removed on this platform. Only on platforms that support either. */
  readonly corrections?: CorrectionRules;
  /** Changes the posted messages to `next`. Idempotent, so an unknown outcome is simply retried. */
  edit?(next: Compiled, posted: Posted, context: SendContext): Promise<Outcome>;
  /** Removes the post. A post that no longer exists counts as removed. */
  remove?(posted: Posted, context: SendContext): Promise<Outcome>;
  /**
   * Resolves a target that is a name to a chat; undefined if the target is the chat's id already. Only on platforms
   * that find chats by name.
   */
  resolve?(context: CheckContext): Promise<Resolved | undefined>;
  /** Checks whether the account can post into the channel. Read-only; nothing is posted. */
  check(context: CheckContext): Promise<ChannelCheck>;
  /**
   * Returns new fields for a credential that is about to expire. The old refresh token may be invalid as soon as the
   * provider answers, so this is called under a lock and its result is stored before anybody uses it. Only on platforms
   * whose credentials expire.
   */
  refresh?(credential: Credential, context: RefreshContext): Promise<Refreshed>;
  /** How a person gives access to an account in the browser. Only on platforms with OAuth. */
  readonly consent?: AccountConsent;
  /**
   * The address of the site that a target means, for notifying search engines of new pages; undefined if it is not a
   * site. Only on platforms whose posts are pages.
   */
  siteOf?(targetId: string): string | undefined;
  /** Lists where the account may post, for people to choose from when they connect it. */
  places?(credential: Credential, context: RefreshContext): Promise<Places>;
}

/** A possible target of a channel. */
export interface Place {
  readonly targetId: string;
  readonly title: string;
  /** How many people read it. */
  readonly members?: number;
}

export type Places =
  | { readonly kind: "listed"; readonly places: readonly Place[] }
  | { readonly kind: "unavailable"; readonly error: SendError };

/** The post at the provider: as it was sent or last changed, with the provider's message ids in order. */
export interface Posted {
  readonly compiled: Compiled;
  readonly providerMessageIds: readonly string[];
  readonly sentAt: Date;
  /** The channel's target. */
  readonly targetId?: string;
  /** True after an edit with a failed or unknown outcome: some messages may differ from `compiled`. */
  readonly mayDiffer?: boolean;
}

export interface CorrectionRules {
  /** Undefined if it can be changed. Pure: checked before anything is sent. */
  editRefusal(posted: Posted, next: Compiled, now: Date): CorrectionRefusal | undefined;
  /** Undefined if it can be removed, as far as is known without asking the provider. Pure. */
  removeRefusal(posted: Posted, now: Date): CorrectionRefusal | undefined;
  /**
   * The same check when it depends on rights that only the provider knows. Read-only; undefined if the provider cannot
   * be asked.
   */
  removeCheck?(posted: Posted, context: CheckContext): Promise<CorrectionRefusal | undefined>;
  /** Why the account can correct nothing at all, whatever the channel: asked once for all channels of one credential. Looks only. */
  accountCheck?(context: CheckContext): Promise<CorrectionRefusal | undefined>;
}

/** Why a post cannot be corrected: a stable code and a sentence. */
export interface CorrectionRefusal {
  readonly code: string;
  readonly message: string;
}

/** The fields of a credential by name, as the platform's definition lists them. */
export type Credential = Readonly<Record<string, string>>;

export type RefreshContext = Pick<SendContext, "http" | "clock" | "signal">;

/** OAuth 2: a person is sent to the provider's page, and returns with a code that works once. */
export interface AccountConsent {
  /** A sentence naming the settings that are missing; undefined if consent can be requested. */
  readonly missing?: string;
  /** The URL of the provider's consent page. `redirectUri` must match the one registered at the provider. */
  pageFor(asked: { readonly state: string; readonly redirectUri: string }): string;
  exchange(
    given: { readonly code: string; readonly redirectUri: string },
    context: RefreshContext,
  ): Promise<Granted>;
}

export type Granted =
  | { readonly kind: "granted"; readonly credential: Credential }
  | { readonly kind: "failed"; readonly error: SendError };

export type Refreshed =
  | { readonly kind: "refreshed"; readonly credential: Credential }
  /** `PERMANENT` if the provider refuses it for good: the account has to be connected again. */
  | { readonly kind: "failed"; readonly error: SendError };

/**
 * Lengths, counts and rates a provider accepts: data, not code. Lengths are UTF-16 units; an absent limit means
 * unlimited or unsupported.
 */
export interface PlatformLimits {
  readonly text: number;
  /** Files of one post. A post with more is refused or sent as a series, depending on `album`. */
  readonly media: number;
  /** The length of a text beside a file, if it is shorter than that of a text alone. */
  readonly caption?: number;
  /** Files in one message. */
  readonly album?: {
    readonly min: number;
    readonly max: number;
    /**
     * A post whose files are all of these kinds is one album, and is refused if it is larger; others are sent as a
     * series.
     */
    readonly whole?: readonly MediaKind[];
  };
  readonly title?: number;
  readonly description?: number;
  readonly tags?: number;
  /** What a post must have to be accepted. */
  readonly needs?: readonly ("title" | "picture")[];
  /** Articles that do not fit are shortened, not refused. */
  readonly shortensArticles?: boolean;
  /** The requests that an account may make in a second; a new rate group gets it as its limit. */
  readonly perAccountPerSecond?: number;
}

/** What compiling may depend on: the channel's settings, never its credentials. */
export interface ChannelProfile {
  readonly platform: PlatformName;
  readonly targetId: string;
  readonly sendMode: "text" | "media" | "mixed";
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * One provider request, complete except for what is known only at sending: the target, the credentials and the
 * provider's references of its media. JSON-serialisable: it is stored with the delivery.
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
  /** Values in angle brackets are known only at sending: the token, and the provider's references of files. */
  readonly http: {
    readonly method: "POST";
    readonly path: string;
    readonly query: Readonly<Record<string, string>>;
    readonly body: Readonly<Record<string, unknown>>;
  };
  /** Read back from the request itself. */
  readonly shown: MarkedText & {
    /** Above the text, where a platform has titles. */
    readonly title?: string;
    readonly media: readonly CompiledMedia[];
    readonly buttons: readonly (readonly Button[])[];
  };
}

export type CompileResult =
  | { readonly ok: true; readonly compiled: Compiled }
  | { readonly ok: false; readonly error: SendError };

export interface SendContext {
  readonly channel: ChannelProfile;
  readonly credential: Credential;
  readonly idempotencyKey: string;
  readonly http: HttpClient;
  readonly clock: Clock;
  /** When this delivery was first sent; none of it can have arrived earlier. */
  readonly since: Date;
  readonly media: MediaSource;
  readonly progress: Progress;
  /** Which of these messages are recorded as belonging to other deliveries of the channel. */
  readonly taken?: (providerMessageIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Waits until one more request of this delivery may go out. `sendSeries` lets the first one pass. */
  readonly turn?: () => Promise<void>;
  readonly signal?: AbortSignal;
}

/** Where the files of a delivery come from, and the provider's references of them. */
export interface MediaSource {
  /**
   * Lends files in their order: those that the account has uploaded before by reference, the rest to be uploaded. Only
   * one caller is lent a file to upload; all others wait for the reference it reports, or for its failure.
   */
  lend<T>(
    media: readonly CompiledMedia[],
    order: MediaOrder,
    use: (files: readonly LentFile[]) => Promise<T>,
  ): Promise<Lent<T>>;
  /** The reference by which the account can send a file that was uploaded earlier, if it is still valid. */
  known(media: CompiledMedia, order: MediaOrder): Promise<string | undefined>;
}

export interface MediaOrder {
  /** The account that owns the references, such as `telegram:1001`: references of another bot do not work. */
  readonly account: string;
  /** What the provider requires of a file, once its type is known. */
  rulesFor(media: CompiledMedia, contentType: string): FileRules;
  /** References that the provider no longer accepts. */
  readonly refused?: readonly string[];
}

export interface FileRules {
  /** The provider's word for this kind of file; a reference is valid for one kind only. */
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
  /** The largest ratio of the longer side to the shorter. */
  readonly ratio?: number;
  /** Width and height to which a picture is cropped, unless changing pictures is forbidden. */
  readonly proportion?: readonly [width: number, height: number];
  /** The format a picture is converted to if it has to be converted; JPEG by default. */
  readonly convertsTo?: "image/webp";
}

export type LentFile = { readonly as: string } & (
  | {
      readonly kind: "reference";
      readonly reference: string;
      /** Another delivery uploaded it meanwhile: the turn that was given before the wait has passed. */
      readonly waited?: boolean;
    }
  | {
      readonly kind: "upload";
      readonly file: MediaFile;
      /** Reports the provider's reference of the file, and for how long it is valid. */
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

/** Bytes that are read on demand, any number of times. */
export interface MediaFile {
  readonly size: number;
  readonly contentType: string;
  readonly fileName: string;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** Which requests of this post were acknowledged, and how to record one more. See `trackProgress`. */
export interface Progress {
  /** Provider ids of acknowledged requests by index; includes what `acknowledge` was just given. */
  readonly acknowledged: readonly (string | undefined)[];
  acknowledge(index: number, providerMessageId: string): Promise<void>;
}

/** A send has three outcomes: it happened, it did not, or the outcome is unknown. */
export type Outcome =
  | {
      readonly kind: "sent";
      readonly providerMessageId: string;
      readonly url?: string;
      readonly raw: unknown;
      /** Losses that only the provider could report: it accepted the post without these parts. */
      readonly losses?: readonly Loss[];
    }
  | { readonly kind: "failed"; readonly error: SendError }
  | { readonly kind: "unknown"; readonly error: SendError };

export type Found =
  | {
      readonly kind: "found";
      readonly providerMessageId: string;
      readonly url?: string;
      readonly raw: unknown;
      readonly losses?: readonly Loss[];
    }
  /** Not all of it arrived. The parts that did are in `progress` now, so that `send` sends only the rest. */
  | { readonly kind: "absent" }
  | { readonly kind: "unavailable"; readonly error: SendError };

/** The normalised error of the specification. `raw` is the provider's answer without secrets. */
export interface SendError {
  readonly category: "TRANSIENT" | "PERMANENT";
  readonly scope: "delivery" | "channel" | "platform";
  readonly code: string;
  readonly message: string;
  readonly retryAfterMs?: number;
  /** The channel's new target, if the provider says that it has moved. */
  readonly movedTo?: string;
  readonly raw?: unknown;
}

export type CheckContext = Pick<SendContext, "channel" | "credential" | "http" | "clock" | "signal">;

/** The result of looking up a chat by its name. */
export type Resolved =
  | { readonly kind: "found"; readonly name: string; readonly targetId: string; readonly title?: string }
  /** The provider says that there is no such chat. */
  | { readonly kind: "absent" }
  /** The provider could not be asked. */
  | { readonly kind: "unavailable" };

/** The checks made at the provider in order, up to the first problem. */
export interface ChannelCheck {
  readonly ok: boolean;
  readonly steps: readonly CheckStep[];
}

export interface CheckStep {
  readonly step: (typeof checkSteps)[number];
  /** `ok`, or what is wrong. */
  readonly finding: CheckFinding;
  /** Values for placeholders in the finding's text. */
  readonly facts?: Readonly<Record<string, string>>;
  /** The provider's error text, if it refused. */
  readonly said?: string;
}

export const checkSteps = ["token", "chat", "member", "rights"] as const;

/** Findings of every platform; their texts are in `src/delivery/admin/channels/test`. */
export type CommonFinding =
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

/** A platform may have findings of its own, if its definition has texts for them. */
export type CheckFinding = CommonFinding | (string & {});
