import type { Reporter, TestModule } from "vitest/node";

/**
 * Names the tests that failed first and passed when they were run again. Each has a race of its own or has found one of the
 * product's, and deserves a look although the run is green.
 */
export class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const names = modules.flatMap(({ relativeModuleId, children }) =>
      [...children.allTests()]
        .filter((test) => test.diagnostic()?.flaky)
        .map(({ fullName }) => `  ${relativeModuleId} > ${fullName}`),
    );
    if (names.length > 0)
      console.log(`\nPassed only at the second try (${names.length}):\n${names.join("\n")}`);
  }
}
