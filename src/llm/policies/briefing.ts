import type { ProviderName } from "../providers/settings.ts";

/** Everything that a call needs from its workspace, read in one query. */
export interface Briefing {
  /** Changes whenever the content of the briefing changes. */
  readonly stamp: string;
  readonly policy: Policy | null;
  readonly prompt: { readonly version: number; readonly body: string } | null;
  readonly prices: readonly Price[];
}

export interface Policy {
  readonly key: string;
  readonly provider: ProviderName;
  readonly model: string;
  readonly fallbacks: readonly Candidate[];
  readonly temperature: number | null;
  readonly max_tokens: number;
  readonly timeout_ms: number;
  readonly options: Readonly<Record<string, unknown>>;
  readonly enabled: boolean;
}

/** A model that may answer. */
export interface Candidate {
  readonly provider: ProviderName;
  readonly model: string;
}

export interface Price extends Candidate {
  readonly prompt_usd: number;
  readonly completion_usd: number;
  /** For one picture; null if the model draws none or the price is unknown. */
  readonly image_usd?: number | null | undefined;
}

export function candidatesOf({ provider, model, fallbacks }: Policy): readonly Candidate[] {
  return [{ provider, model }, ...fallbacks];
}

export function priceOf(prices: readonly Price[], { provider, model }: Candidate): Price | undefined {
  return prices.find((price) => price.provider === provider && price.model === model);
}
