/** The request timed out; it was not cancelled by its caller. */
export class DeadlineExceeded extends Error {
  override readonly name = "DeadlineExceeded";
}

/** Runs something with a signal that fires after `ms`, or earlier when `outer` does. */
export async function withDeadline<T>(
  ms: number,
  outer: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // AbortSignal.any with AbortSignal.timeout would be shorter, but Node 20 may collect the pair before it fires.
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new DeadlineExceeded(`no complete answer within ${ms} ms`)),
    ms,
  );
  const cancel = () => controller.abort(outer?.reason);
  if (outer?.aborted) cancel();
  outer?.addEventListener("abort", cancel, { once: true });
  try {
    return await run(controller.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", cancel);
  }
}

/** Rejects as soon as the signal fires: for work that does not support signals itself. */
export function untilAborted<T>(work: Promise<T>, ...signals: readonly AbortSignal[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signals.find(({ aborted }) => aborted)?.reason);
    if (signals.some(({ aborted }) => aborted)) giveUp();
    for (const signal of signals) signal.addEventListener("abort", giveUp, { once: true });
    work.then(resolve, reject).finally(() => {
      for (const signal of signals) signal.removeEventListener("abort", giveUp);
    });
  });
}
