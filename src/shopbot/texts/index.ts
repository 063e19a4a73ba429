/** Default texts, and texts for operators. */
import { en } from "./en.ts";
import { ru } from "./ru.ts";

export const languages = ["ru", "en"] as const;
export type Language = (typeof languages)[number];

export interface BotTexts {
  readonly fallback: string;
  readonly escalation: string;
  /** Used if nobody can take the chat over; `phone`, `hours` and `email` are the file's variables. */
  readonly nobody: string;
  /** To a customer who waits for an operator, and when the call ended unanswered. */
  readonly unanswered: string;
  readonly nobodyCame: string;
  readonly returned: string;
  readonly expired: string;
  readonly staleButton: string;
  readonly pressed: string;
  readonly flood: string;
  readonly backToBot: string;
  readonly attachments: Readonly<Record<string, string>>;
  readonly somebody: string;
  readonly bot: string;
  readonly operator: string;
  readonly callsOperator: (who: string, chat: string) => string;
  readonly stillWaits: (who: string, chat: string, seconds: number) => string;
  readonly howToAnswer: string;
  readonly notDelivered: (why: string) => string;
  readonly giveBack: string;
  readonly givenBack: string;
  readonly onlyText: string;
}

export const defileErrorTexts: Readonly<Record<Language, BotTexts>> = { ru, en };
