/** What a flow consists of. A flow is data: it knows no messenger, and every transition is declared. */
import type { z } from "zod";
import type { Transaction } from "../../kernel/db/index.ts";
import type { Invoice } from "./invoice.ts";
import type { Attachment, Picture } from "./outgoing.ts";
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

/**
 * Besides its own states a flow may stay, go back, end, begin another flow, or end on a screen. A declared screen is a
 * path (`screen:project:{id}:card`), the handler answers its address (`screen:project:12:card`).
 */
export type Target<State extends string> =
  | State
  | "@stay"
  | "@back"
  | "@end"
  | `flow:${string}`
  | `screen:${string}`;

/** Where it may lead; if there are several, the handler chooses. */
export type Targets<State extends string> = Target<State> | readonly [Target<State>, ...Target<State>[]];

/** Whom a handler serves. Its writes through `sql` are committed together with the dialogue's step, or not at all. */
export interface Visit<Services> {
  readonly language: Language;
  readonly workspaceId: string;
  readonly chatId: string;
  readonly userId: string;
  readonly now: Date;
  readonly sql: Transaction;
  readonly services: Services;
  /** How the person is called in the messenger; absent if the step was not caused by them. */
  readonly person?: { readonly name: string; readonly username?: string | undefined } | undefined;
  /** What is kept of a flow that was left before its end. */
  kept(flow: string): Promise<Kept | undefined>;
}

/** What a handler of a flow may use. */
export interface StepContext<Data, Services> extends Visit<Services> {
  readonly data: Data;
  /** The person's message; absent if they tapped a button. */
  readonly message?: MessageRef | undefined;
}

/** A flow that was left and can be resumed. */
export interface Kept {
  readonly state: string;
  readonly data: Stored;
  readonly until: Date;
  /** What was reached, as the flow's own `summary` says. */
  readonly summary?: Text | undefined;
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
      /** With a screen as target: the flow is kept as if it was left, so that the person can come back. */
      readonly keep?: boolean;
      readonly refuse?: undefined;
    }
  | { readonly refuse: string };

/** A text, an invoice, or a file. */
export type Saying = Text | { readonly invoice: Invoice } | Attachment;

/** How Telegram colours a button; elsewhere, and where it refuses colours, the button is plain. */
export const styles = ["primary", "success", "danger"] as const;
export type Style = (typeof styles)[number];

export interface Button<Data, State extends string, Services> {
  readonly label: Words<Data>;
  readonly to: Targets<State>;
  /** One button for each item, distinguished by `arg`. */
  each?(data: Data, language: Language): readonly { readonly arg: string; readonly label: string }[];
  when?(data: Data): boolean;
  /** Buttons with the same number are in one row; others have a row of their own. */
  readonly row?: number;
  /** With `each`: how many items share a row; one unless given. */
  readonly columns?: number;
  readonly style?: Style;
  press?(
    turn: StepContext<Data, Services>,
    arg: string,
  ): StepResult<Data, State> | Promise<StepResult<Data, State>>;
}

/** A link needs no handler: the messenger opens it, or copies the text. */
export type Link<Data> = {
  readonly label: Words<Data>;
  readonly style?: Style;
  when?(data: Data): boolean;
} & ({ url(data: Data): string } | { copy(data: Data): string });

export interface Input<Data, State extends string, Services, Value> {
  readonly to: Targets<State>;
  /** The message is deleted from the chat once it is read: passwords and tokens. */
  readonly secret?: boolean;
  take(
    turn: StepContext<Data, Services>,
    value: Value,
  ): StepResult<Data, State> | Promise<StepResult<Data, State>>;
}

/** A file as input. With `download` the handler also gets the bytes, fetched before the step begins. */
export interface MediaInput<Data, State extends string, Services>
  extends Input<Data, State, Services, ReceivedMedia> {
  readonly download?: { readonly bytes: number };
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

export interface ReceivedMedia extends Media {
  /** Present if the input declares `download`. */
  readonly file?: Downloaded | undefined;
}

export interface AskState<Data, State extends string, Services> {
  readonly ask: Words<Data, Text>;
  /**
   * Runs whenever the state is entered, before it is shown: reads what the screen needs, and may lead on at once (one
   * project: nothing to choose). A state that leads on is not shown, and Back passes over it.
   */
  readonly prepare?: Preparation<Data, State, Services>;
  /** A picture above the text. */
  picture?(data: Data): Picture | undefined;
  /** Commands that continue this flow, without their slash, as in `entries`: they act before any other flow's. */
  readonly commands?: Readonly<Record<string, Input<Data, State, Services, string>>>;
  readonly buttons?: Readonly<Record<string, Button<Data, State, Services>>>;
  readonly links?: readonly Link<Data>[];
  readonly text?: Input<Data, State, Services, string>;
  readonly media?: Readonly<Partial<Record<MediaKind, MediaInput<Data, State, Services>>>>;
  /**
   * `follow` edits the live message unless the person wrote since; `edit` always edits; `fresh` always sends a new
   * message.
   */
  readonly place?: "follow" | "edit" | "fresh";
  /** No back button, and Back never returns here. */
  readonly noBack?: boolean;
  /** No cancel button, where it would be ambiguous; the command still works. A button named `cancel` stands in its place. */
  readonly noCancel?: boolean;
  /**
   * Texts and files that the state does not accept begin the flow whose entry accepts them. Not for a screen that must
   * be answered.
   */
  readonly passesOn?: boolean;
}

export interface Preparation<Data, State extends string, Services> {
  /** Where it may lead on; without `to` in the result, the state is shown. */
  readonly to?: readonly Target<State>[];
  take(turn: StepContext<Data, Services>): StepResult<Data, State> | Promise<StepResult<Data, State>>;
}

/** Runs outside any transaction; it may be repeated after a crash, so it must be idempotent (use `id`). */
export interface Work<Data, Services>
  extends Omit<StepContext<Data, Services>, "sql" | "message" | "kept" | "person"> {
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
  /** What a second tap on the button that led here is answered. */
  readonly again?: Both;
  readonly to: Targets<State>;
  work(work: Work<Data, Services>): Promise<StepResult<Data, State>>;
  readonly failed: {
    readonly to: Target<State>;
    readonly text: Both;
    /** Returns what was reserved, in the transaction that records the failure. */
    settle?(turn: StepContext<Data, Services>): Promise<void>;
  };
}

/**
 * Waits for something outside the conversation, such as a run, without holding a place of the worker: one message shows
 * how far it is, and `wake` ends the wait.
 */
export interface WaitState<Data, State extends string, Services> {
  /** Shown until `look` says more. */
  readonly ask: Words<Data, Text>;
  readonly place?: "follow" | "edit" | "fresh";
  readonly wait: {
    /** What is waited for: `wake` names the same. */
    on(data: Data): string;
    /** How it may end, by the name that `wake` and `look` give. */
    readonly outcomes: Readonly<Record<string, Outcome<Data, State, Services>>>;
    /**
     * Reads how far it is: the text of the message, or the outcome if it has ended. Called on entering, then at the given
     * pace; changes nothing.
     */
    look?(turn: StepContext<Data, Services>): Promise<Text | Ended | undefined>;
    /** Between two looks; 3 seconds unless given, never less than one. */
    readonly everyMs?: number;
  };
  /** What a second tap on the button that led here is answered. */
  readonly again?: Both;
  /** Such as Cancel: its handler asks for the end, the outcome comes by `wake`. */
  readonly buttons?: Readonly<Record<string, Button<Data, State, Services>>>;
  readonly links?: readonly Link<Data>[];
}

export interface Ended {
  readonly outcome: string;
  readonly facts?: Stored;
}

export interface Outcome<Data, State extends string, Services> {
  readonly to: Targets<State>;
  take?(
    turn: StepContext<Data, Services>,
    facts: Stored,
  ): StepResult<Data, State> | Promise<StepResult<Data, State>>;
}

export type State<Data, Name extends string, Services> =
  | AskState<Data, Name, Services>
  | WorkState<Data, Name, Services>
  | WaitState<Data, Name, Services>;

/** Why a flow is left before its end. */
export type Leaving = "cancelled" | "expired" | "replaced";

/** A flow that is left is kept for a while, and offered when it is begun again. */
export interface Keeping<Data, Name extends string> {
  readonly hours: number;
  /** Whether there is something worth keeping; always unless given. */
  when?(data: Data, state: Name, why: Leaving): boolean;
  /** What was reached, for the offer: "Project X, step 3 of 5". */
  summary?(data: Data, state: Name, language: Language): Text;
  /** Cancel asks, too, wherever another flow would have to ask; so does Back where it leads out of there. */
  readonly asks?: boolean;
  /** Told on Cancel instead of `cancelled`, if it is kept. */
  readonly told?: Both;
  /** Told when what it waited for has ended while the person is busy with something else. */
  readonly ended?: Words<Data, Text>;
}

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

/** Ask which to continue, replace with a notice, or yield in silence. */
export type Rivalry = "ask" | "replace" | "yield";

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
  readonly rivals?: Rivalry | { of(data: Data, state: Name): Rivalry }["of"];
  readonly inactivity: { readonly minutes: number; readonly text: Both } | "never";
  /** Events from elsewhere that concern a person in this flow, such as a top-up. */
  readonly events?: Readonly<Record<string, Reaction<Data, Name, Services>>>;
  readonly cancelled?: Both;
  /** The label of the engine's cancel button, if it says more than Cancel. */
  readonly cancelLabel?: Both;
  readonly keep?: Keeping<Data, Name>;
  /**
   * Where Cancel leads while there is something to lose; without it, or if it returns no other state, the flow is left.
   */
  cancelTo?(data: Data, state: Name): Name | undefined;
  /**
   * Called when a flow is left before its end, to return what it holds. A flow that is kept is left only when the person
   * gives it up or its time is over.
   */
  leave?(turn: StepContext<Data, Services>, why: Leaving): Promise<void>;
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
