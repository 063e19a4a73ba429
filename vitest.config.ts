import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst } from "./tests/support/longest-first.ts";
import { SecondTries } from "./tests/support/second-tries.ts";
import { slow } from "./tests/support/slow.ts";

/** `--mode quick` leaves out what is slow. */
export default defineConfig(({ mode }) => ({
  test: {
    include: ["{src,twins,tests,console,scripts}/**/*.test.{ts,tsx}"],
    exclude: [...configDefaults.exclude, ...(mode === "quick" ? slow.map((path) => `${path}**`) : [])],
    setupFiles: ["tests/support/repeatable.ts"],
    globalSetup: ["tests/support/global-setup.ts"],
    // Nets for what hangs, far above what a test takes on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000, interval: 100 } },
    // On a busy machine one in ten thousand tests reads too early. It gets a second try, and the end of the run names it. A property
    // that fails does so again: its inputs come from the seed of the run.
    retry: 1,
    reporters: ["default", new SecondTries()],
    pool: "forks",
    // A late write of the database's driver to a lost connection, which the product ignores too (survive-lost-connections.ts).
    onUnhandledError: ({ name, stack }) =>
      name === "TypeError" && /nextWrite \(?.*postgres.*connection\.js/.test(stack ?? "") ? false : undefined,
    // Files share nothing that they change, so a worker loads each module once.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Most files wait for processes, browsers and databases: three keep two cores busy.
    maxWorkers: Math.max(3, availableParallelism() - 1),
  },
}));
