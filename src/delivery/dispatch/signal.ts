/** Lets one loop sleep until something happens or a time passes; what happened while it was awake is not lost. */
export interface Signal {
  raise(): void;
  /** Resolves when raised, or after the time at the latest. */
  wait(milliseconds: number): Promise<void>;
}

export function createSignal(): Signal {
  let raised = false;
  let wake: (() => void) | undefined;
  return {
    raise() {
      raised = true;
      wake?.();
    },
    async wait(milliseconds) {
      if (!raised) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        wake = undefined;
      }
      raised = false;
    },
  };
}
