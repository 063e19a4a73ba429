import type { z } from "zod";
import type { Environment, Setting } from "../kernel/config/index.ts";
import type { HttpClient } from "../kernel/outbound/index.ts";
import type { CheckStep, Compiled, Credential, Platform, PlatformLimits } from "./contract.ts";

/**
 * Everything about a platform: its folder exports one definition, and a line in `registry.ts` adds it. Names, forms,
 * help, the facts in SQL and the server's settings are derived from it.
 */
export interface PlatformDefinition {
  /** Lower-case Latin letters, digits and `_`. */
  readonly name: string;
  readonly limits: PlatformLimits;
  /** Its environment variables. */
  readonly settings: Readonly<Record<string, Setting>>;
  /**
   * Which settings its twin replaces, and with what: a path of the twin, such as `{ X_API_ROOT: "/x" }`, or a value
   * that the twin knows if it does not begin with `/`.
   */
  readonly twin: Readonly<Record<string, string>>;
  readonly credential: CredentialDefinition;
  readonly target: TargetDefinition;
  /** Channel settings of this platform only, besides those of `channel-settings.ts`. */
  readonly channelSettings?: Readonly<Record<string, ChannelSetting>>;
  readonly words: { readonly en: PlatformWords; readonly ru: PlatformWords };
  /** Present if a post is a page at the URL that `send` returns: it is then read back as a reader would get it. */
  readonly pages?: PagesDefinition;
  create(environment: Environment, tuning: PlatformTuning): Platform;
}

/** How the pages of a platform are read back. All of it is pure. */
export interface PagesDefinition {
  /**
   * From when the page is public, judged by what was sent and what `send` or `find` returned as `raw`; undefined for a
   * draft.
   */
  publicFrom(sent: { readonly compiled: Compiled; readonly raw: unknown }, now: Date): Date | undefined;
  /**
   * What the page has to show, judged by what was sent and by the codes of the losses that were reported when it was; undefined
   * if that cannot be told.
   */
  expected(compiled: Compiled, lost: ReadonlySet<string>): ExpectedPage | undefined;
}

export interface ExpectedPage {
  readonly title: string;
  /**
   * The page's text as it was sent: its headings must be found in the page, and its hidden markup must not be visible.
   */
  readonly html: string;
  /** How many pictures are in the text. */
  readonly pictures: number;
  /** The address of the original, if the page has to name one; otherwise the page is its own original. */
  readonly canonicalUrl?: string;
  /** Search engines are asked not to index it. */
  readonly noindex?: boolean;
}

/** Settings for all adapters from tests and the server's configuration; an absent one means the adapter's default. */
export interface PlatformTuning {
  readonly requestTimeoutMs?: number;
  readonly uploadTimeoutMs?: number;
  /** How long to wait between attempts while a provider still processes an uploaded file. */
  readonly notReadyWaitsMs?: readonly number[];
  /** Waits before a question is asked again. */
  readonly pause?: (ms: number) => Promise<unknown>;
  /** For addresses that users entered; without it an adapter uses the client of its context. */
  readonly guarded?: HttpClient;
}

export interface CredentialDefinition {
  /** In the order in which people are asked for them. Every value is a text. */
  readonly fields: Readonly<Record<string, CredentialField>>;
  /** When it expires; undefined if it does not, or if that is unknown. For platforms with `refresh`. */
  expiresAt?(credential: Credential): Date | undefined;
  /** How long before it expires it is refreshed. */
  readonly refreshAheadMs?: number;
}

export interface CredentialField {
  readonly about: string;
  readonly schema: z.ZodType<string, string>;
  readonly optional?: boolean;
  /** Not secret: an address or a login, which may appear in an error. */
  readonly open?: boolean;
}

/**
 * How a typed target is read: the first rule whose pattern matches decides. PostgreSQL reads the same data
 * (`delivery.read_target`), so a pattern uses only what both support: `(?:…)`, classes, counts, no look-behind, no
 * `\\d` or `\\w`.
 */
export interface TargetDefinition {
  readonly rules: readonly TargetRule[];
  /** The error text if no rule matches. */
  readonly otherwise: string;
  /** Describes the field in the help and in OpenAPI. */
  readonly about: string;
  /** A prefix that marks people for us alone: the provider gets the target without it. */
  readonly unsaid?: string;
}

/** `{1}` is the first group of the match, `{1:lower}` the same in lower case. */
export type TargetRule = { readonly pattern: string; readonly ignoreCase?: boolean } & (
  | { readonly keep: string }
  | { readonly fault: string }
);

export interface ChannelSetting {
  readonly kinds: readonly ("string" | "number" | "boolean" | "object" | "array")[];
  /** The only accepted values. */
  readonly words?: readonly string[];
  readonly about: string;
}

/** Texts of the channel test that replace the common ones. */
export interface PlatformWords {
  /** Where to get a credential. */
  readonly credentials: string;
  readonly fine?: Partial<Record<CheckStep["step"], string>>;
  readonly wrong?: Readonly<Record<string, { readonly text: string; readonly advice: string }>>;
}
