import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { NewId } from "../../kernel/ids/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { FlowBook } from "../flow/check.ts";
import type { Language, MessageRef } from "../flow/flow.ts";
import type { Interjection } from "../flow/interjection.ts";
import type { Messenger } from "../messenger.ts";
import type { Situation } from "./answer-update.ts";
import type { BotKey, Dialogue } from "./dialogue.ts";

export interface EngineDeps<Services> {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly key: BotKey;
  readonly flows: FlowBook<Services>;
  readonly home: string | undefined;
  readonly interject: Interjection | undefined;
  readonly messenger: Messenger;
  readonly services: Services;
  /** How long a process that died blocks its work and its screen for others. */
  readonly leaseMs: number;
}

interface Circumstances {
  readonly wrote: boolean;
  readonly language?: Language;
  readonly message?: MessageRef | undefined;
}

/** What a decision may depend on, for this dialogue and moment. */
export function situationOf<Services>(
  tx: Transaction,
  dialogue: Dialogue,
  { wrote, language = dialogue.language, message }: Circumstances,
  { clock, newId, key, flows, home, interject, services }: EngineDeps<Services>,
): Situation<Services> {
  const now = clock.now();
  return {
    dialogue: { ...dialogue, language },
    home,
    interject,
    moment: { flows, language, revision: dialogue.revision + 1, now, wrote, workId: newId() },
    turn: (data) => ({
      data,
      language,
      workspaceId: key.workspaceId,
      chatId: dialogue.chat_id,
      userId: dialogue.user_id,
      now,
      sql: tx,
      services,
      message,
    }),
  };
}

export function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
