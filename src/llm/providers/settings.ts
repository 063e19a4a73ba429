/** Where models live. `compatible` is any other server that speaks OpenAI's chat completions. */
export const providerNames = ["openrouter", "openai", "compatible"] as const;
export type ProviderName = (typeof providerNames)[number];

export interface ProviderSettings {
  readonly baseUrl: string;
  /** A server of one's own may ask for none. */
  readonly apiKey?: string | undefined;
}

/** A provider that is absent is not configured. */
export type Providers = Readonly<Partial<Record<ProviderName, ProviderSettings>>>;
