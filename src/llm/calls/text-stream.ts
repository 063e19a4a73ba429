/** Text from a model to its reader, as it comes. Leaving the loop early aborts `signal`. */
export interface TextStream {
  readonly words: AsyncIterable<string>;
  readonly signal: AbortSignal;
  say(words: string): void;
  end(): void;
}

export function createTextStream(outer: AbortSignal | undefined): TextStream {
  const left = new AbortController();
  const waiting: string[] = [];
  let ended = false;
  let wake: () => void = () => {};
  const abort = () => left.abort(outer?.reason);
  if (outer?.aborted) abort();
  outer?.addEventListener("abort", abort, { once: true });

  async function* read(): AsyncGenerator<string> {
    try {
      for (;;) {
        const next = waiting.shift();
        if (next !== undefined) yield next;
        else if (ended) return;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      if (!ended) left.abort(new Error("nobody reads any more"));
    }
  }

  return {
    words: read(),
    signal: left.signal,
    say(words) {
      waiting.push(words);
      wake();
    },
    end() {
      ended = true;
      outer?.removeEventListener("abort", abort);
      wake();
    },
  };
}
