import type { Config } from "../kernel/config/index.ts";

/** The address of the twins of this configuration, if they run. */
export async function runningTwins(config: Config): Promise<string | undefined> {
  const url = `http://127.0.0.1:${config.MOLVA_TWIN_PORT}`;
  try {
    const answer = await fetch(`${url}/_control/health`, { signal: AbortSignal.timeout(1_000) });
    return answer.ok ? url : undefined;
  } catch {
    return undefined;
  }
}
