import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{src,twins,tests,console,scripts}/**/*.test.{ts,tsx}"],
    globalSetup: ["tests/support/global-setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: "forks",
  },
});
