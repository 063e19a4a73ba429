import type { Terminal } from "../terminal/index.ts";

/** Shows progress of long operations. */
export interface Progress {
  /** Begins a step; the previous one is done. */
  step(text: string): void;
  done(): void;
}

/** On a terminal one line that is rewritten, elsewhere a line for each step. */
export function createProgress(terminal: Terminal): Progress {
  let current: { text: string; began: number; timer?: NodeJS.Timeout } | undefined;

  function finish(): void {
    if (!current) return;
    clearInterval(current.timer);
    const seconds = ((performance.now() - current.began) / 1000).toFixed(1);
    if (terminal.isTerminal) process.stdout.write(`\r\x1b[2K  ✓ ${current.text} (${seconds} s)\n`);
    current = undefined;
  }

  return {
    step(text) {
      finish();
      const began = performance.now();
      current = { text, began };
      if (!terminal.isTerminal) return terminal.out(`  ${text} …`);
      const draw = () =>
        process.stdout.write(`\r\x1b[2K  … ${text} ${Math.floor((performance.now() - began) / 1000)} s`);
      draw();
      current.timer = setInterval(draw, 1000);
    },
    done: finish,
  };
}
