/** The keyboard below the chat. Its labels act before a state reads the text. */
import type { Both, Style, Visit } from "./flow.ts";
import type { Text } from "./text.ts";

export interface KeyboardLabel<Services> {
  readonly label: Both;
  /** `screen:dashboard` or `flow:ArticlePipeline`. */
  readonly to: `screen:${string}` | `flow:${string}`;
  readonly style?: Style;
  /** For whom; others do not see it, and to them the word is a word. Asked at every step, so it must be quick. */
  when?(person: Visit<Services>): boolean | Promise<boolean>;
}

export interface BotKeyboard<Services> {
  /** The message that brings the keyboard, when no other can carry it. */
  readonly text: Both<Text>;
  readonly rows: readonly (readonly KeyboardLabel<Services>[])[];
}
