import { type Model, openAiModels, openRouterModels } from "./models.ts";

/** The differences between two providers of the same API. */
export interface Brand {
  readonly name: "openrouter" | "openai";
  /** The base path of the API. */
  readonly base: string;
  readonly models: readonly Model[];
  readonly keyShape: RegExp;
  /** A key that is known from the start, for demos. */
  readonly demoKey: string;
  /** OpenRouter returns the cost of an answer, sends the usage of streams by default and comments while it waits. */
  readonly router: boolean;
}

export const openRouter: Brand = {
  name: "openrouter",
  base: "/openrouter/api/v1",
  models: openRouterModels,
  keyShape: /^sk-or-v1-[\w-]{16,}$/,
  demoKey: "sk-or-v1-molva-demo-0000000000000000",
  router: true,
};

export const openAi: Brand = {
  name: "openai",
  base: "/openai/v1",
  models: openAiModels,
  keyShape: /^sk-[\w-]{16,}$/,
  demoKey: "sk-molva-demo-0000000000000000",
  router: false,
};
