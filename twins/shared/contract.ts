import type { FastifyInstance } from "fastify";

/** What the host process gives each twin. */
export interface TwinContext {
  readonly clock: { now(): number };
  readonly options: TwinOptions;
  readonly state: StateStore;
  readonly blobs: BlobStore;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly bus: Bus;
  readonly log: TwinLog;
  /** Aborted when the process stops: waiting requests and retries end with it. */
  readonly stopping: AbortSignal;
}

/** The two methods of a logger that the twins need; pino's logger fits. */
export interface TwinLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
}

export type TwinFactory = (context: TwinContext) => Twin;

/** Read on every call: `PATCH /_control/options` changes them while the twins run. */
export interface TwinOptions {
  /** The address of this process, without a trailing slash: upload and file links start with it. */
  readonly baseUrl: string;
  /** Accept http and loopback webhooks, which the real providers refuse. */
  readonly insecureWebhooks: boolean;
  /** Enforces request rates; a benchmark may turn them off. */
  readonly rateLimits: boolean;
  /** How many messages a chat accepts at once before its steady rate applies. */
  readonly chatBurst: number;
}

/** One provider's emulator. */
export interface Twin {
  readonly name: string;
  /** Serves the provider's API below `/<name>`, and the control API for people and tests below `/_control/<name>`. */
  mount(app: FastifyInstance): Promise<void>;
  chats(): ChatView[];
  messages(chatId: string, page: { before?: string; limit: number }): MessageView[];
  /**
   * The sites and networks of this provider that have pages for readers: a site, a wall, a board. The twins' page lists
   * them beside the chats. A twin that has some also publishes `{ type: "place", … }` on the bus after every change a
   * reader would see.
   */
  places?(): PlaceView[];
  reset(): void;
  stop?(): Promise<void>;
}

/** A named JSON document per twin, kept across restarts if the process has a folder. */
export interface StateStore {
  load<T>(name: string): T | undefined;
  /** Call after every change; writing is deferred and atomic. `snapshot` is called when it is time to write. */
  changed(name: string, snapshot: () => unknown): void;
}

export interface BlobStore {
  put(bytes: Uint8Array, info: { contentType: string; fileName?: string }): Promise<StoredBlob>;
  get(id: string): Promise<(StoredBlob & { bytes: Uint8Array }) | undefined>;
  clear(): Promise<void>;
}

export interface StoredBlob {
  readonly id: string;
  readonly contentType: string;
  readonly fileName?: string;
  readonly size: number;
  /** A path below the twins' port at which a browser can load it. */
  readonly path: string;
}

/** One call as fault scripts and the journal see it. */
export interface Call {
  readonly provider: string;
  readonly method: string;
  /** The bot's username, or its id if it has none; scripts and queries may use either. */
  readonly bot?: string;
  readonly botId?: string;
  readonly chat?: string;
}

export type FaultKind =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly retryAfter?: number;
      readonly description?: string;
      /** The provider's own number for the error, where it has one beside the status. */
      readonly code?: number;
    }
  | { readonly kind: "delay"; readonly ms: number }
  /** No answer until the client leaves. With `after`, the work is done first. */
  | { readonly kind: "hang"; readonly after?: boolean }
  /** The provider does the work and answers a byte a second. */
  | { readonly kind: "trickle" }
  /** The provider does the work and the connection breaks before the answer. */
  | { readonly kind: "drop_after" }
  /** The connection breaks before the provider does anything. */
  | { readonly kind: "drop_before" }
  /** The provider does the work and answers with something other than its JSON. */
  | { readonly kind: "malformed" }
  /** The provider does the work, but the result is not what was requested. */
  | { readonly kind: "answer"; readonly flaw: AnswerFlaw };

/** Flaws of an answer: a model's, and at the end a token's. */
export const answerFlaws = [
  /** Cut in the middle, as if it were too long. */
  "truncated",
  /** The model declines in its own words. */
  "refusal",
  /** An answer without text. */
  "empty",
  /** No answer among the choices. */
  "no_choice",
  /** Valid JSON of another shape. */
  "invalid",
  /** JSON inside prose and fences. */
  "fenced",
  /** JSON with a missing bracket, a trailing comma and a key without quotes: what OpenRouter's response healing repairs. */
  "broken",
  /** An answer with text in the place of the picture. */
  "no_image",
  /** The same picture whatever is asked. */
  "same_image",
  /** A file that only begins like a picture. */
  "bad_image",
  /** Claims that their quotes do not support: another number, unit or name, the opposite, a source that does not exist. */
  "claim_number",
  "claim_unit",
  "claim_negation",
  "claim_entity",
  "claim_dead_source",
  /** A judge that finds every claim supported. */
  "agrees",
  /** A failure reported with status 200, or in the middle of a stream. */
  "error",
  /** The connection breaks in the middle of the answer. */
  "cut",
  /** An ID token with a claim of somebody else, of the past, or signed with a key that the provider does not publish. */
  "wrong_nonce",
  "wrong_audience",
  "wrong_issuer",
  "expired",
  "unknown_key",
] as const;
export type AnswerFlaw = (typeof answerFlaws)[number];

export interface FaultScript {
  readonly id: string;
  /** `text` stands anywhere in the request. */
  readonly match: { provider?: string; bot?: string; chat?: string; method?: string; text?: string };
  readonly fault: FaultKind;
  /** How often it may still apply; absent means without limit. */
  times?: number;
  readonly probability?: number;
  /** Milliseconds since the epoch after which it no longer applies. */
  readonly until?: number;
}

export interface Faults {
  /** The fault for this call, counted as used, or undefined. */
  take(call: Call, request?: unknown): FaultKind | undefined;
  add(script: Omit<FaultScript, "id">): FaultScript;
  list(): FaultScript[];
  remove(id: string): boolean;
  clear(): void;
}

export interface JournalEntry extends Call {
  readonly id: number;
  readonly at: number;
  readonly request: unknown;
  readonly status: number | "dropped" | "hung";
  readonly response: unknown;
  readonly fault?: FaultKind["kind"];
  /** Ids of the messages this call created. */
  readonly created?: readonly string[];
}

export interface Journal {
  add(entry: Omit<JournalEntry, "id" | "at">): JournalEntry;
  find(query: JournalQuery): JournalEntry[];
  clear(): void;
}

export interface JournalQuery {
  readonly provider?: string;
  readonly bot?: string;
  readonly chat?: string;
  readonly method?: string;
  readonly after?: number;
  readonly limit?: number;
}

/** Live changes for the page, sent as server-sent events. */
export interface Bus {
  publish(event: TwinEvent): void;
  subscribe(listener: (event: TwinEvent) => void): () => void;
}

export type TwinEvent =
  | {
      readonly type: "message";
      readonly provider: string;
      readonly chatId: string;
      readonly message: MessageView;
    }
  | {
      readonly type: "removed";
      readonly provider: string;
      readonly chatId: string;
      readonly messageId: string;
    }
  | { readonly type: "chat"; readonly provider: string; readonly chat: ChatView }
  | { readonly type: "typing"; readonly provider: string; readonly chatId: string }
  /** A draft of a bot's message, shown for half a minute at most. */
  | { readonly type: "draft"; readonly provider: string; readonly chatId: string; readonly text: string }
  /** A bot's text for the person who tapped a button; a messenger shows it briefly. */
  | { readonly type: "answered"; readonly provider: string; readonly chatId: string; readonly text: string }
  /** Something changed on a site, a wall or a board, or there is a new one. */
  | { readonly type: "place"; readonly provider: string; readonly place: PlaceView }
  | { readonly type: "reset" };

/** A site, a wall, a board: it has pages for readers instead of messages. */
export interface PlaceView {
  readonly provider: string;
  /** Unique among the provider's places, and stable. */
  readonly id: string;
  readonly title: string;
  /**
   * A path below the twins' port, such as `/wordpress/`, where a browser shows what readers see. The twins' page embeds
   * it, so its content security policy must have `frame-ancestors 'self'`; scripts do not run there.
   */
  readonly url: string;
  /** How many posts, pins or pages readers find there. */
  readonly items: number;
  /** Milliseconds since the epoch of the last change; absent while nothing has been published. */
  readonly changedAt?: number;
}

/** A chat as a person sees it in the list. */
export interface ChatView {
  readonly provider: string;
  readonly id: string;
  readonly title: string;
  readonly kind: "channel" | "group" | "dialog";
  readonly username?: string;
  /** Whether a person can write here through the page (dialogs and groups with a bot). */
  readonly writable: boolean;
  readonly last?: { readonly text: string; readonly at: number };
  readonly count: number;
}

/** A message as a person sees it. */
export interface MessageView {
  readonly id: string;
  readonly at: number;
  readonly author: {
    readonly name: string;
    readonly bot: boolean /** Written by the person at the page. */;
    readonly mine: boolean;
  };
  /** Above the text, where a provider has titles. */
  readonly title?: string;
  readonly text: string;
  readonly marks: readonly MarkView[];
  readonly media: readonly MediaView[];
  readonly captionAboveMedia?: boolean;
  /** Messages that share it are shown as one album. */
  readonly albumId?: string;
  readonly buttons: readonly (readonly ButtonView[])[];
  /** The buttons stand below the chat until a newer message brings others, or none. */
  readonly buttonsBelow?: boolean;
  readonly replyTo?: { readonly id: string; readonly author: string; readonly text: string };
  readonly linkPreview?: { readonly url: string };
  /** The forum topic of the message. */
  readonly topicId?: string;
  readonly edited: boolean;
  readonly silent: boolean;
  readonly protected: boolean;
  readonly views?: number;
}

/** Offsets and lengths are UTF-16 units. */
export interface MarkView {
  readonly type:
    | "bold"
    | "italic"
    | "underline"
    | "strike"
    | "spoiler"
    | "code"
    | "pre"
    | "link"
    | "mention"
    | "hashtag"
    | "quote"
    | "expandable_quote"
    | "highlight"
    | "heading"
    | "custom_emoji"
    | "command";
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly language?: string;
}

export interface MediaView {
  readonly kind: "photo" | "video" | "animation" | "audio" | "voice" | "document" | "sticker";
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
  readonly name?: string;
  readonly size?: number;
  readonly spoiler?: boolean;
}

export interface ButtonView {
  readonly text: string;
  readonly kind: "link" | "callback" | "other";
  readonly url?: string;
  /** What a tap copies. */
  readonly copy?: string;
  readonly style?: "danger" | "success" | "primary";
}
