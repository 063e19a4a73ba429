import { settingsOf } from "../../kernel/config/index.ts";
import type { Core } from "../../workspaces/index.ts";
import { llmSettings } from "../environment.ts";
import type { Providers } from "./settings.ts";

/** The configured providers of language models. A twin gets its own test key, never a real one. */
export function providersOf(core: Pick<Core, "config" | "environment" | "twinsUrl">): Providers {
  const { environment, twinsUrl } = core;
  const settings = settingsOf(core, llmSettings);
  const isTwin = (name: "OPENROUTER_BASE_URL" | "OPENAI_BASE_URL") => twinsUrl && !environment[name]?.trim();
  const openrouter = isTwin("OPENROUTER_BASE_URL")
    ? { baseUrl: `${twinsUrl}/openrouter/api/v1`, apiKey: "sk-or-v1-molva-demo-0000000000000000" }
    : { baseUrl: settings.OPENROUTER_BASE_URL, apiKey: settings.OPENROUTER_API_KEY };
  const images = settings.OPENROUTER_IMAGES_API;
  const openai = isTwin("OPENAI_BASE_URL")
    ? { baseUrl: `${twinsUrl}/openai/v1`, apiKey: "sk-molva-demo-0000000000000000" }
    : { baseUrl: settings.OPENAI_BASE_URL, apiKey: settings.OPENAI_API_KEY };
  return {
    ...(openrouter.apiKey && { openrouter: { ...openrouter, images } }),
    ...(openai.apiKey && { openai }),
    ...(settings.LLM_BASE_URL && {
      compatible: {
        baseUrl: settings.LLM_BASE_URL,
        apiKey: settings.LLM_API_KEY,
        images: settings.LLM_IMAGES_API,
      },
    }),
  };
}
