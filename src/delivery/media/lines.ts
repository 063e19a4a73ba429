/** Queues within one process: one caller at a time, the others wait in the order in which they came. */
export interface Lines {
  /** Waits for the caller's turn and returns the function that ends it; undefined if that took too long. */
  enter(name: string, patienceMs: number): Promise<(() => void) | undefined>;
}

export function createLines(): Lines {
  const ends = new Map<string, Promise<void>>();

  return {
    async enter(name, patienceMs) {
      const before = ends.get(name) ?? Promise.resolve();
      const { promise: mine, resolve: leave } = withResolvers();
      const end = before.then(() => mine);
      ends.set(name, end);
      void end.then(() => {
        if (ends.get(name) === end) ends.delete(name);
      });
      if (await within(before, patienceMs)) return leave;
      leave();
      return undefined;
    },
  };
}

async function within(turn: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const came = await Promise.race([turn.then(() => true), late]);
  clearTimeout(timer);
  return came;
}

/** `Promise.withResolvers` is newer than Node 20. */
function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
