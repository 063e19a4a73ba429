import type { TwinsSettings } from "../server.ts";
import { startTestTwins, type TestTwins } from "../shared/testing.ts";
import { openAi, openRouter } from "./brand.ts";

export interface TestModels {
  readonly twins: TestTwins;
  /** Requests a completion of OpenRouter with the demo's key, and returns status, headers and parsed body. */
  ask(body: object, init?: { key?: string | null; provider?: "openrouter" | "openai" }): Promise<Asked>;
  /** The text of a stream, as it came. */
  stream(body: object, provider?: "openrouter" | "openai"): Promise<string>;
  fault(fault: object, match?: object): Promise<void>;
  close(): Promise<void>;
}

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReturnType<typeof JSON.parse>;
}

export const flash = "google/gemini-2.5-flash";
export const hello = { model: flash, messages: [{ role: "user", content: "Чем кормить кота летом?" }] };

export async function startModels(settings: Partial<TwinsSettings> = {}): Promise<TestModels> {
  const twins = await startTestTwins(settings);
  const post = (brand: typeof openRouter, body: object, key: string | null) =>
    fetch(`${twins.url}${brand.base}/chat/completions`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key !== null && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
    });
  const brandOf = (name: string) => (name === "openai" ? openAi : openRouter);
  return {
    twins,
    async ask(body, { key, provider = "openrouter" } = {}) {
      const brand = brandOf(provider);
      const response = await post(brand, body, key === undefined ? brand.demoKey : key);
      return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
    },
    async stream(body, provider = "openrouter") {
      const brand = brandOf(provider);
      return (await post(brand, { ...body, stream: true }, brand.demoKey)).text();
    },
    async fault(fault, match = {}) {
      await twins.control("POST", "/faults", { provider: "openrouter", fault, times: 1, ...match });
    },
    close: () => twins.close(),
  };
}
