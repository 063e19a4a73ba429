/** Texts in both languages. */
import { en } from "./en.ts";
import { ru } from "./ru.ts";

export const hintCodes = [
  "no_active_account",
  "nothing_due",
  "stuck_tasks",
  "nothing_planned",
  "all_well",
] as const;
export type HintCode = (typeof hintCodes)[number];

export const verdictCodes = [
  "published",
  "planned",
  "under_way",
  "flood",
  "account_off",
  "failed",
  "hindered",
  "waits_for_plan",
] as const;
export type VerdictCode = (typeof verdictCodes)[number];

export interface AccountTexts {
  readonly noAccounts: string;
  readonly hints: Readonly<Record<HintCode, string>>;
  readonly verdicts: Readonly<Record<VerdictCode, (when: string) => string>>;
  /** `why` says what switched the account off, if known. */
  readonly waitsForAccount: (why: string) => string;
  readonly test: string;
}

export interface Said {
  readonly ru: string;
  readonly en: string;
}

export function inBoth(say: (texts: AccountTexts) => string): Said {
  return { ru: say(ru), en: say(en) };
}

export { en, ru };
