import type { HttpClient } from "../../kernel/outbound/index.ts";
import type { ProviderName, ProviderSettings } from "./settings.ts";

export interface Ping {
  readonly ok: boolean;
  /** What was found, or what is wrong. */
  readonly says: string;
}

const within = 10_000;

/** Whether a provider answers and takes its key. Costs nothing. */
export async function pingProvider(
  http: HttpClient,
  provider: ProviderName,
  { baseUrl, apiKey }: ProviderSettings,
): Promise<Ping> {
  const { host } = new URL(baseUrl);
  const result = await http.request({
    method: "GET",
    // OpenRouter lists its models to anybody, so its key is tried elsewhere.
    url: `${baseUrl}${provider === "openrouter" ? "/key" : "/models"}`,
    headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
    timeoutMs: within,
  });
  if (result.kind === "failure") return { ok: false, says: `${host} does not answer (${result.reason})` };
  if (result.status === 401 || result.status === 403) return { ok: false, says: `${host} refuses the key` };
  if (result.status >= 400) return { ok: false, says: `${host} answers ${result.status}` };
  return { ok: true, says: `${host} answers and takes the key` };
}
