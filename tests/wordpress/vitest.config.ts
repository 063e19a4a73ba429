import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Suites that need a real WordPress; `npm test` leaves them out, for it asks for nothing but Node. The contract tests run
 * unchanged: only where they look for platforms, preparations and the harness, they find those of the real site.
 */
export default defineConfig({
  resolve: {
    alias: ["harness", "platforms", "preparation"].map((name) => ({
      find: new RegExp(`^\\./${name}\\.ts$`),
      replacement: here(`contract-${name}.ts`),
    })),
  },
  test: {
    include: ["tests/wordpress/**/*.real.ts", "tests/contract/platforms.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    maxWorkers: 1,
  },
});
