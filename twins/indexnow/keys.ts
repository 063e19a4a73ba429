import { fetchLoopback } from "../shared/index.ts";
import type { KnownKey } from "./model.ts";

const fetchWithinMs = 5_000;

/** Fetches the key's file as search engines do, and stores the result. */
export async function checkKey(known: KnownKey): Promise<void> {
  const because = await faultOf(known);
  known.state = because === undefined ? "good" : "refused";
  if (because === undefined) delete known.because;
  else known.because = because;
}

async function faultOf({ location, key }: KnownKey): Promise<string | undefined> {
  try {
    const answer = await fetchLoopback(location, { signal: AbortSignal.timeout(fetchWithinMs) });
    const text = await answer.text();
    if (answer.status !== 200) return `the file answers ${answer.status}`;
    return text.trim() === key ? undefined : "the file does not hold the key";
  } catch (error) {
    return `the file cannot be fetched: ${error instanceof Error ? error.message : String(error)}`;
  }
}
