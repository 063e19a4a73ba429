/**
 * Streams an answer while it is written: sends the newest text, one request at a time, within the messenger's rate
 * limits.
 */
import { cut, type Formatted, laidOut, type Text } from "../flow/text.ts";

export interface Drafting {
  show(soFar: Text): void;
  /** Whether the person has seen any of it. */
  seen(): boolean;
  /** Waits for the last draft, so that none arrives after the answer. */
  end(): Promise<void>;
}

export interface DraftingDeps {
  readonly longestText: number;
  readonly everyMs: number;
  /** False if further drafts are useless. */
  send(text: Formatted): Promise<boolean>;
}

export function createDrafting({ longestText, everyMs, send }: DraftingDeps): Drafting {
  let newest: Text | undefined;
  let seen = false;
  let over = false;
  let pause: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  function flush(): void {
    if (newest === undefined || over || pause || sending) return;
    // Of a text longer than a message, the end is shown, because it grows.
    const text = cut(laidOut(newest), longestText).at(-1);
    newest = undefined;
    if (!text) return;
    sending = send(text)
      .then((useful) => {
        seen ||= useful;
        over ||= !useful;
      })
      .finally(() => {
        sending = undefined;
        if (over) return;
        pause = setTimeout(() => {
          pause = undefined;
          flush();
        }, everyMs);
      });
  }

  return {
    show(soFar) {
      newest = soFar;
      flush();
    },
    seen: () => seen,
    async end() {
      over = true;
      clearTimeout(pause);
      await sending;
    },
  };
}
