import type { Language } from "./flow.ts";
import type { Text } from "./text.ts";

/** What a person wrote, and where in the conversation they stood. */
export interface Written {
  readonly text: string;
  /** Null when nothing was under way. */
  readonly flow: string | null;
  readonly state: string | null;
  readonly language: Language;
}

/** Something to be said at once, before whatever the flow makes of the words: an emergency does not wait for a form. */
export type Interjection = (written: Written) => Text | undefined;
