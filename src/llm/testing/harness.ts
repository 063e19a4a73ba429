import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import { createProviderClient } from "../../kernel/outbound/index.ts";
import { createGateway, type Gateway, type GatewayDeps } from "../gateway.ts";
import type { Providers } from "../providers/settings.ts";
import type { SeedFiles } from "../seed.ts";

/** A policy with defaults for everything that a test does not set. */
export const aPolicy = (
  given: Partial<SeedFiles["policies"][number]> = {},
): SeedFiles["policies"][number] => ({
  key: "plain",
  provider: "openrouter",
  model: "google/gemini-2.5-flash",
  fallbacks: [],
  temperature: 0.2,
  max_tokens: 400,
  timeout_ms: 10_000,
  options: {},
  enabled: true,
  ...given,
});

export const aPrompt = {
  name: "advice",
  body: "---\nvalues:\n  mode: [care, emergency]\n---\nОтвечай по теме. Режим: {{ mode }}.\n=== user ===\nВопрос: {{ question }}",
};
export const repairPrompt = {
  name: "structured-repair",
  body: "Только JSON.\n=== user ===\nОшибки: {{ errors }}",
};

export const flash = { provider: "openrouter", model: "google/gemini-2.5-flash" } as const;
export const mini = { provider: "openrouter", model: "openai/gpt-4o-mini" } as const;
export const openAiMini = { provider: "openai", model: "gpt-4o-mini" } as const;

export const someFiles = (given: Partial<SeedFiles> = {}): SeedFiles => ({
  policies: [
    aPolicy(),
    aPolicy({ key: "with_fallback", fallbacks: [mini] }),
    aPolicy({ key: "other_provider", fallbacks: [openAiMini] }),
  ],
  prices: [
    { ...flash, prompt_usd: 0.3, completion_usd: 2.5 },
    { ...mini, prompt_usd: 0.15, completion_usd: 0.6 },
    { ...openAiMini, prompt_usd: 0.15, completion_usd: 0.6 },
  ],
  prompts: [aPrompt, repairPrompt],
  ...given,
});

export interface GatewayHarness {
  readonly gateway: Gateway;
  readonly clock: ManualClock;
  /** The pauses of the gateway between requests, in milliseconds. The clock moves by them at once. */
  readonly waits: number[];
  close(): Promise<void>;
}

export function providersAt(
  twinsUrl: string,
  keys: { openrouter?: string; openai?: string } = {},
): Providers {
  return {
    openrouter: {
      baseUrl: `${twinsUrl}/openrouter/api/v1`,
      apiKey: keys.openrouter ?? "sk-or-v1-molva-demo-0000000000000000",
    },
    openai: { baseUrl: `${twinsUrl}/openai/v1`, apiKey: keys.openai ?? "sk-molva-demo-0000000000000000" },
  };
}

/** A gateway with a clock of its own that moves only when it is told to. */
export function aGateway(
  sql: Sql,
  twinsUrl: string,
  { files = someFiles(), ...given }: Partial<Omit<GatewayDeps, "files">> & { files?: SeedFiles } = {},
): GatewayHarness {
  const clock = manualClock();
  const http = createProviderClient();
  const waits: number[] = [];
  const gateway = createGateway({
    ...{ sql, clock, http, log: silentLog, appUrl: "https://molva.example.com" },
    providers: providersAt(twinsUrl),
    random: () => 0,
    pause: async (milliseconds) => {
      waits.push(milliseconds);
      clock.advance(milliseconds);
    },
    files: async () => files,
    ...given,
  });
  const close = async () => {
    await gateway.settled();
    await http.close();
  };
  return { gateway, clock, waits, close };
}
