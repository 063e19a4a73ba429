/** The signals that mean "please stop". A terminal sends SIGINT, a service manager SIGTERM, a closing window SIGHUP. */
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Resolves at the first signal to stop. Further ones are swallowed: npm passes on the same Ctrl-C a second time, and
 * stopping is bounded anyway.
 */
export function untilAskedToStop(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of stopSignals) process.on(signal, () => resolve(signal));
  });
}
