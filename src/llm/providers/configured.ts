import type { Core } from "../../workspaces/index.ts";
import type { Providers } from "./settings.ts";

/** Which providers of language models may be asked. A twin gets the key that it knows, never a real one. */
export function providersOf({
  config,
  environment,
  twinsUrl,
}: Pick<Core, "config" | "environment" | "twinsUrl">): Providers {
  const isTwin = (name: "OPENROUTER_BASE_URL" | "OPENAI_BASE_URL") => twinsUrl && !environment[name]?.trim();
  const openrouter = isTwin("OPENROUTER_BASE_URL")
    ? { baseUrl: `${twinsUrl}/openrouter/api/v1`, apiKey: "sk-or-v1-molva-demo-0000000000000000" }
    : { baseUrl: config.OPENROUTER_BASE_URL, apiKey: config.OPENROUTER_API_KEY };
  const openai = isTwin("OPENAI_BASE_URL")
    ? { baseUrl: `${twinsUrl}/openai/v1`, apiKey: "sk-molva-demo-0000000000000000" }
    : { baseUrl: config.OPENAI_BASE_URL, apiKey: config.OPENAI_API_KEY };
  return {
    ...(openrouter.apiKey && { openrouter }),
    ...(openai.apiKey && { openai }),
    ...(config.LLM_BASE_URL && { compatible: { baseUrl: config.LLM_BASE_URL, apiKey: config.LLM_API_KEY } }),
  };
}
