import type { AlertReason } from "../findings.ts";
import { en } from "./en.ts";
import { ru } from "./ru.ts";

export type Language = "ru" | "en";

/** All texts of an alert in one language. */
export interface AlertTexts {
  readonly locale: string;
  readonly subject: (workspace: string, first: string, more: number) => string;
  readonly title: (workspace: string) => string;
  readonly test: {
    readonly title: (workspace: string) => string;
    readonly what: string;
    readonly todo: string;
  };
  readonly reasons: Record<AlertReason, ReasonText>;
  readonly since: (time: string) => string;
  readonly until: (time: string) => string;
  readonly times: (count: number) => string;
  readonly missing: Record<"channel" | "message" | "delivery", string>;
  readonly source: (id: string) => string;
  readonly unnamedChannel: string;
  readonly console: (url: string) => string;
}

export interface ReasonText {
  /** What happened and how often. */
  readonly what: (count: number, threshold: number) => string;
  /** What to do about it. */
  readonly todo: string;
}

export const alertTexts: Record<Language, AlertTexts> = { ru, en };
