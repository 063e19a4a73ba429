/** Why a request was cut off: its time was over, as opposed to its caller's change of mind. */
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

/** The work's own end, or the signal's reason as soon as it fires: for work that does not listen to signals itself. */
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
