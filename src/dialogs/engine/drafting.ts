/** An answer that grows before the person's eyes: the newest state of it, one at a time, and no oftener than messengers bear. */
import { cut, type Formatted, laidOut, type Text } from "../flow/text.ts";

export interface Drafting {
  show(soFar: Text): void;
  /** Whether the person has seen any of it. */
  seen(): boolean;
  /** No draft is under way any more when it returns, so that none comes after the answer. */
  end(): Promise<void>;
}

export interface DraftingDeps {
  readonly longestText: number;
  readonly everyMs: number;
  /** False when there is no use in more. */
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
    // Of what is longer than a message, the end is what grows.
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
