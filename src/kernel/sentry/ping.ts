import type { HttpClient } from "../outbound/index.ts";
import type { Dsn } from "./dsn.ts";
import { type Client, posted } from "./envelope.ts";

const pingMs = 5_000;

/** Whether Sentry answers. An envelope without items leaves no trace there; only an event would prove that the key is known. */
export async function pingSentry(
  http: HttpClient,
  dsn: Dsn,
  client: Client,
): Promise<{ readonly ok: boolean; readonly says: string }> {
  const result = await http.request({ ...posted(dsn, client, "{}\n"), timeoutMs: pingMs });
  if (result.kind === "failure") return { ok: false, says: `${dsn.host} does not answer: ${result.message}` };
  if (result.status >= 300 && result.status !== 429)
    return { ok: false, says: `${dsn.host} answers with ${result.status}` };
  return { ok: true, says: `${dsn.host} answers` };
}
