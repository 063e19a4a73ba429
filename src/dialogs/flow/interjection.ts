import type { Language } from "./flow.ts";
import type { Text } from "./text.ts";

/** What a person wrote, and in which state. */
export interface Written {
  readonly text: string;
  /** Null if no flow was active. */
  readonly flow: string | null;
  readonly state: string | null;
  readonly language: Language;
}

/** A message that is sent at once, before the flow handles the text: an emergency does not wait for a form. */
export type Interjection = (written: Written) => Text | undefined;
