/** What a flow consists of. A flow is data: it knows no messenger, and every transition is declared. */
import type { z } from "zod";
import type { Transaction } from "../../kernel/db/index.ts";
import type { Invoice } from "./invoice.ts";
import type { Text } from "./text.ts";

export type Language = "ru" | "en";
export type Both<Each = string> = Readonly<Record<Language, Each>>;

/** What a dialogue stores between updates; it must be serialisable as JSON. */
export type Stored = Readonly<Record<string, unknown>>;

/**
 * A text, fixed or computed from the data. Written as a method, so that a flow of particular data is also a flow of any
 * data: the engine parses what it stored with the flow's own schema before it calls.
 */
export type Words<Data, Each = string> = Both<Each> | { of(data: Data, language: Language): Each }["of"];

/** Besides its own states a flow may stay, go back, end, or begin another flow. */
export type Target<State extends string> = State | "@stay" | "@back" | "@end" | `flow:${string}`;

/** Where it may lead; if there are several, the handler chooses. */
export type Targets<State extends string> = Target<State> | readonly [Target<State>, ...Target<State>[]];

/** What a handler may use. Its writes through `sql` are committed together with the dialogue's step, or not at all. */
export interface StepContext<Data, Services> {
  readonly data: Data;
  readonly language: Language;
  readonly workspaceId: string;
  readonly chatId: string;
  readonly userId: string;
  readonly now: Date;
  readonly sql: Transaction;
  readonly services: Services;
  /** The person's message; absent if they tapped a button. */
  readonly message?: MessageRef | undefined;
}

export interface MessageRef {
  readonly id: string;
  /** The message that this one replies to. */
  readonly replyTo?: string | undefined;
}

/** A handler's result: data to change, where to go, what to say. A refusal changes nothing and asks again. */
export type StepResult<Data, State extends string> =
  | {
      readonly data?: Partial<Data>;
      /** Required only if several targets are declared. */
      readonly to?: Target<State>;
      /** Messages that stay in the chat, above the next screen. */
      readonly say?: readonly Saying[];
      /** A line above the next question. */
      readonly notice?: Text;
      readonly refuse?: undefined;
    }
  | { readonly refuse: string };

/** A text, or an invoice. */
export type Saying = Text | { readonly invoice: Invoice };

export interface Button<Data, State extends string, Services> {
  readonly label: Words<Data>;
  readonly to: Targets<State>;
  /** One button for each item, distinguished by `arg`. */
  each?(data: Data, language: Language): readonly { readonly arg: string; readonly label: string }[];
  when?(data: Data): boolean;
  /** Buttons with the same number are in one row; others have a row of their own. */
  readonly row?: number;
  press?(
    turn: StepContext<Data, Services>,
    arg: string,
  ): StepResult<Data, State> | Promise<StepResult<Data, State>>;
}

/** A link needs no handler: the messenger opens it. */
export interface Link<Data> {
  readonly label: Words<Data>;
  url(data: Data): string;
}

export interface Input<Data, State extends string, Services, Value> {
  readonly to: Targets<State>;
  /** The message is deleted from the chat once it is read: passwords and tokens. */
  readonly secret?: boolean;
  take(
    turn: StepContext<Data, Services>,
    value: Value,
  ): StepResult<Data, State> | Promise<StepResult<Data, State>>;
}

export const mediaKinds = ["photo", "voice", "audio", "video", "document", "sticker", "other"] as const;
export type MediaKind = (typeof mediaKinds)[number];

export interface Media {
  readonly kind: MediaKind;
  /** The messenger's id for downloading the file. */
  readonly fileId?: string | undefined;
  readonly name?: string | undefined;
  readonly size?: number | undefined;
  readonly caption?: string | undefined;
}

export interface AskState<Data, State extends string, Services> {
  readonly ask: Words<Data, Text>;
  readonly buttons?: Readonly<Record<string, Button<Data, State, Services>>>;
  readonly links?: readonly Link<Data>[];
  readonly text?: Input<Data, State, Services, string>;
  readonly media?: Readonly<Partial<Record<MediaKind, Input<Data, State, Services, Media>>>>;
  /**
   * `follow` edits the live message unless the person wrote since; `edit` always edits; `fresh` always sends a new
   * message.
   */
  readonly place?: "follow" | "edit" | "fresh";
  /** No back button, and Back never returns here. */
  readonly noBack?: boolean;
  /** No cancel button, where it would be ambiguous; the command still works. */
  readonly noCancel?: boolean;
  /**
   * Texts and files that the state does not accept begin the flow whose entry accepts them. Not for a screen that must
   * be answered.
   */
  readonly passesOn?: boolean;
}

/** Runs outside any transaction; it may be repeated after a crash, so it must be idempotent (use `id`). */
export interface Work<Data, Services> extends Omit<StepContext<Data, Services>, "sql" | "message"> {
  readonly id: string;
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** Shows the answer so far, where the messenger can; the next screen is then a new message. */
  draft(soFar: Text): void;
  /** Downloads a file that a person sent. Throws on a temporary error, so that another attempt is made. */
  download(fileId: string, longest: { readonly bytes: number }): Promise<Downloaded>;
}

/** `gone`: the messenger no longer has it. */
export type Downloaded =
  | { readonly kind: "file"; readonly bytes: Uint8Array }
  | { readonly kind: "too large" }
  | { readonly kind: "gone" };

export interface WorkState<Data, State extends string, Services> {
  readonly ask: Words<Data, Text>;
  readonly place?: "follow" | "edit" | "fresh";
  /** The number of attempts; 3 by default. */
  readonly attempts?: number;
  readonly to: Targets<State>;
  work(work: Work<Data, Services>): Promise<StepResult<Data, State>>;
  readonly failed: {
    readonly to: Target<State>;
    readonly text: Both;
    /** Returns what was reserved, in the transaction that records the failure. */
    settle?(turn: StepContext<Data, Services>): Promise<void>;
  };
}

export type State<Data, Name extends string, Services> =
  | AskState<Data, Name, Services>
  | WorkState<Data, Name, Services>;

export interface Entry<Data, State extends string, Value> {
  readonly to: State;
  begin?(value: Value, message?: MessageRef): Partial<Data>;
  /** Leaves the current flow without asking, as /start does. */
  readonly interrupts?: boolean;
}

/** How a flow continues after an event from elsewhere, in whatever state it waits. */
export interface Reaction<Data, State extends string, Services> {
  readonly to: Targets<State>;
  take(
    turn: StepContext<Data, Services>,
    facts: Stored,
    state: State,
  ): StepResult<Data, State> | Promise<StepResult<Data, State>>;
}

export interface FlowShape<Data, Name extends string, Services> {
  readonly name: string;
  /** For people: "a new project". */
  readonly title: Both;
  readonly data: z.ZodType<Data>;
  readonly empty: Data;
  /** Where it begins when another flow leads here. */
  readonly first: Name;
  /** Commands without their slash; which input begins the flow when none is active. */
  readonly entries?: {
    readonly commands?: Readonly<Record<string, Entry<Data, Name, string>>>;
    readonly text?: Entry<Data, Name, string>;
    readonly media?: Readonly<Partial<Record<MediaKind, Entry<Data, Name, Media>>>>;
  };
  /**
   * When another flow wants to begin: `ask` the person, `replace` this one and say so, or `yield` silently (a menu).
   */
  readonly rivals?: "ask" | "replace" | "yield";
  readonly inactivity: { readonly minutes: number; readonly text: Both } | "never";
  /** Events from elsewhere that concern a person in this flow, such as a top-up. */
  readonly events?: Readonly<Record<string, Reaction<Data, Name, Services>>>;
  readonly cancelled?: Both;
  /**
   * Where Cancel leads while there is something to lose; without it, or if it returns no other state, the flow is left.
   */
  cancelTo?(data: Data, state: Name): Name | undefined;
  /** Called when a flow is left before its end, to return what it holds. */
  leave?(turn: StepContext<Data, Services>, why: "cancelled" | "expired" | "replaced"): Promise<void>;
  readonly states: Readonly<Record<Name, State<Data, Name, Services>>>;
}

export type Flow<Services> = FlowShape<Stored, string, Services>;

/**
 * Gives a flow its types: a target state that it does not have does not compile.
 *
 * @example
 * const flow = flowsOf<Services>();
 * export const feedback = flow({ name: "Feedback", ..., states: { ask: { ask: texts.ask, text: {...} } } });
 */
export function flowsOf<Services>() {
  return <Data extends Stored, Name extends string>(
    shape: Omit<FlowShape<NoInfer<Data>, NoInfer<Name>, Services>, "states" | "data"> & {
      readonly data: z.ZodType<Data>;
      readonly states: { readonly [Each in Name]: State<NoInfer<Data>, NoInfer<Name>, Services> };
    },
  ): Flow<Services> => shape;
}

export function wordsOf<Data, Each>(words: Words<Data, Each>, data: Data, language: Language): Each {
  return typeof words === "function" ? words(data, language) : words[language];
}

export function listOf<State extends string>(targets: Targets<State>): readonly Target<State>[] {
  return typeof targets === "string" ? [targets] : targets;
}
