/** Work that is done when there is some: woken by a signal, and by the clock in case a signal was lost. */
export interface Loop {
  start(): void;
  wake(): void;
  stop(): Promise<void>;
}

/** `round` says how long to wait when nothing wakes it; 0 means there may be more at once. It must not throw. */
export function createLoop(round: () => Promise<number>): Loop {
  let stopped = true;
  let woken = false;
  let rest: (() => void) | undefined;
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false;
      const waitMs = await round();
      if (waitMs > 0 && !woken && !stopped) await pause(waitMs);
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done() {
        clearTimeout(timer);
        rest = undefined;
        resolve();
      }
      rest = done;
    });
  }

  return {
    start() {
      stopped = false;
      running = run();
    },
    wake() {
      woken = true;
      rest?.();
    },
    async stop() {
      stopped = true;
      rest?.();
      await running;
    },
  };
}
