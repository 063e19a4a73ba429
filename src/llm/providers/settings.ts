/** Providers of models. `compatible` is any other server with OpenAI's chat completions API. */
export const providerNames = ["openrouter", "openai", "compatible"] as const;
export type ProviderName = (typeof providerNames)[number];

export const imagesApis = ["chat", "images"] as const;
export type ImagesApi = (typeof imagesApis)[number];

export interface ProviderSettings {
  readonly baseUrl: string;
  /** A self-hosted server may need none. */
  readonly apiKey?: string | undefined;
  /** How pictures are asked for: in a chat (the usual way), or by an API of their own. */
  readonly images?: ImagesApi | undefined;
}

/** A provider that is absent is not configured. */
export type Providers = Readonly<Partial<Record<ProviderName, ProviderSettings>>>;
