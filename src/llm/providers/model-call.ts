import type { ModelMessage, Schema } from "ai";
import type { Clock } from "../../kernel/clock/index.ts";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import type { AspectRatio, PictureSize } from "../ask.ts";
import type { Failure } from "../failures.ts";
import type { RawPicture, RawUsage } from "./raw.ts";
import type { ProviderName, ProviderSettings } from "./settings.ts";

/** One request to one model, and what comes of it. */

export interface SendDeps {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly appUrl: string;
}

export type JsonSchema = Awaited<Schema["jsonSchema"]>;

export interface ModelCall {
  readonly provider: ProviderName;
  readonly settings: ProviderSettings;
  readonly model: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly temperature: number | null;
  readonly maxTokens: number;
  readonly timeoutMs: number;
  readonly options: Readonly<Record<string, unknown>>;
  readonly shape?: { readonly name: string; readonly schema: JsonSchema };
  readonly signal?: AbortSignal | undefined;
  /** Requests a stream and receives its text as it comes. */
  readonly onWords?: ((words: string) => void) | undefined;
}

export interface PictureRequest {
  readonly aspectRatio?: AspectRatio | undefined;
  readonly size?: PictureSize | undefined;
}

export type Reply = Said | NotSaid;

export interface Said {
  readonly kind: "said";
  readonly text: string;
  readonly refusal: string;
  readonly truncated: boolean;
  /** Not opened yet. */
  readonly pictures: readonly RawPicture[];
  readonly model: string;
  readonly usage: RawUsage | undefined;
}

export interface NotSaid {
  readonly kind: "failed";
  readonly failure: Failure;
  readonly usage: RawUsage | undefined;
  /** Whether the provider may still charge for it. */
  readonly mayCost: boolean;
}

export function notSaid(failure: Failure, usage: RawUsage | undefined, mayCost: boolean): NotSaid {
  return { kind: "failed", failure, usage, mayCost };
}
