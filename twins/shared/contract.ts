import type { FastifyInstance } from "fastify";

/** What the process that hosts the twins gives each of them. */
export interface TwinContext {
  readonly clock: { now(): number };
  readonly options: TwinOptions;
  readonly state: StateStore;
  readonly blobs: BlobStore;
  readonly faults: Faults;
  readonly journal: Journal;
  readonly bus: Bus;
  readonly log: TwinLog;
  /** Aborted when the process is asked to stop: waiting requests and retries end with it. */
  readonly stopping: AbortSignal;
}

/** The two lines of a logger that the twins need; pino's logger fits. */
export interface TwinLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
}

export type TwinFactory = (context: TwinContext) => Twin;

/** Read on every call: `PATCH /_control/options` changes them while the twins run. */
export interface TwinOptions {
  /** Where this process is reached, without a trailing slash: upload and file links start with it. */
  readonly baseUrl: string;
  /** Accept http and loopback webhooks, which the real providers refuse. */
  readonly insecureWebhooks: boolean;
  /** Enforce request rates; a benchmark may lift them. */
  readonly rateLimits: boolean;
  /** How many messages a chat takes at once before its steady rate is demanded. */
  readonly chatBurst: number;
}

/** One provider's emulator. */
export interface Twin {
  readonly name: string;
  /** Serves the provider's API below `/<name>`, and what a person or a test does to it below `/_control/<name>`. */
  mount(app: FastifyInstance): Promise<void>;
  chats(): ChatView[];
  messages(chatId: string, page: { before?: string; limit: number }): MessageView[];
  reset(): void;
  stop?(): Promise<void>;
}

/** A named JSON document per twin, kept across restarts when the process has a folder. */
export interface StateStore {
  load<T>(name: string): T | undefined;
  /** Call after every change; writing is deferred and atomic. `snapshot` is asked when it is time to write. */
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
  /** The bot's username, or its id while it has none; scripts and queries may name it by either. */
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
    }
  | { readonly kind: "delay"; readonly ms: number }
  /** No answer until the client leaves. With `after`, the work was done first. */
  | { readonly kind: "hang"; readonly after?: boolean }
  /** The provider does the work and the connection dies before the answer. */
  | { readonly kind: "drop_after" }
  /** The connection dies before the provider does anything. */
  | { readonly kind: "drop_before" }
  /** The provider does the work and answers something that is not its JSON. */
  | { readonly kind: "malformed" }
  /** The provider does the work, and what comes out of it is not what was asked for. */
  | { readonly kind: "answer"; readonly flaw: AnswerFlaw };

/** What models do to an answer. */
export const answerFlaws = [
  /** Cut in the middle, as when it has grown too long. */
  "truncated",
  /** The model declines in words of its own. */
  "refusal",
  /** An answer without a word. */
  "empty",
  /** No answer among the choices. */
  "no_choice",
  /** Good JSON of another shape. */
  "invalid",
  /** JSON among prose and fences. */
  "fenced",
  /** A failure reported with status 200, or in the middle of a stream. */
  "error",
  /** The connection dies in the middle of the answer. */
  "cut",
] as const;
export type AnswerFlaw = (typeof answerFlaws)[number];

export interface FaultScript {
  readonly id: string;
  readonly match: { provider?: string; bot?: string; chat?: string; method?: string };
  readonly fault: FaultKind;
  /** How often it may still strike; absent means without end. */
  times?: number;
  readonly probability?: number;
  /** Milliseconds since the epoch after which it no longer strikes. */
  readonly until?: number;
}

export interface Faults {
  /** The fault that strikes this call, counted as used, or nothing. */
  take(call: Call): FaultKind | undefined;
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

/** Live changes for the page, sent on as server-sent events. */
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
  /** What a bot is about to say, for half a minute unless it says it before. */
  | { readonly type: "draft"; readonly provider: string; readonly chatId: string; readonly text: string }
  /** A bot's words for whoever pressed a button; a messenger shows them for a moment. */
  | { readonly type: "answered"; readonly provider: string; readonly chatId: string; readonly text: string }
  | { readonly type: "reset" };

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
  readonly text: string;
  readonly marks: readonly MarkView[];
  readonly media: readonly MediaView[];
  readonly captionAboveMedia?: boolean;
  /** Messages that share it are shown as one album. */
  readonly albumId?: string;
  readonly buttons: readonly (readonly ButtonView[])[];
  readonly replyTo?: { readonly id: string; readonly author: string; readonly text: string };
  readonly linkPreview?: { readonly url: string };
  /** The topic of a forum that it stands in. */
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
  readonly style?: "danger" | "success" | "primary";
}
