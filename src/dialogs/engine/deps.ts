import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { NewId } from "../../kernel/ids/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { FlowBook } from "../flow/check.ts";
import type { Language, MessageRef, Visit } from "../flow/flow.ts";
import type { Interjection } from "../flow/interjection.ts";
import type { BotKeyboard } from "../flow/keyboard.ts";
import type { ScreenBook } from "../flow/screens.ts";
import type { Messenger, Update } from "../messenger.ts";
import type { EngineTexts } from "../texts/index.ts";
import type { BotKey, Dialogue } from "./dialogue.ts";
import { keptFlows, sceneOfKept } from "./kept.ts";
import type { Pace } from "./pace.ts";
import type { LooksSecret } from "./secrets.ts";
import type { Situation } from "./situation.ts";
import type { Timing } from "./steps.ts";

export interface EngineDeps<Services> {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly key: BotKey;
  readonly flows: FlowBook<Services>;
  readonly screens: ScreenBook<Services>;
  readonly keyboard: BotKeyboard<Services> | undefined;
  readonly meet: Meet<Services> | undefined;
  readonly pace: Pace | undefined;
  readonly home: string | undefined;
  readonly texts: Readonly<Record<Language, EngineTexts>>;
  readonly timing: Timing;
  readonly interject: Interjection | undefined;
  readonly looksSecret: LooksSecret | undefined;
  readonly messenger: Messenger;
  readonly services: Services;
  /** Reads a file of the bot's own storage. */
  readonly files: ((key: string) => Promise<Uint8Array | undefined>) | undefined;
  /** How long a process that died blocks its work and its screen for others. */
  readonly leaseMs: number;
}

/**
 * Sees every update of a person first, in the transaction of its step: registers whom it does not know, notes when they came.
 * It has to send its statement before it waits for anything: the statements of the step come after it.
 */
export type Meet<Services> = (person: Visit<Services>, update: Update) => Promise<void>;

interface Circumstances {
  readonly wrote: boolean;
  readonly language?: Language;
  readonly message?: MessageRef | undefined;
  /** When the update came in. */
  readonly received?: Date | undefined;
  readonly person?: Visit<unknown>["person"];
}

/** What a decision may depend on, for this dialogue and moment. */
export function situationOf<Services>(
  tx: Transaction,
  dialogue: Dialogue,
  { wrote, language = dialogue.language, message, received, person }: Circumstances,
  deps: EngineDeps<Services>,
): Situation<Services> {
  const { clock, newId, key, flows, screens, keyboard, home, interject, looksSecret, services, log } = deps;
  const now = clock.now();
  const keeping = keptFlows(tx, key, dialogue.chat_id, now);
  const visit = {
    language,
    workspaceId: key.workspaceId,
    chatId: dialogue.chat_id,
    userId: dialogue.user_id,
    now,
    sql: tx,
    services,
    person,
    async kept(flow: string) {
      const row = await keeping.find(flow);
      const scene = row && sceneOfKept(row, flows);
      if (!row || !scene) return undefined;
      const summary = scene.flow.keep?.summary?.(scene.data, scene.state, language);
      return { state: row.state, data: row.data, until: row.kept_until, summary };
    },
  };
  return {
    dialogue: { ...dialogue, language },
    ...{ home, interject, looksSecret, screens, keyboard, keeping, visit, log },
    received: received ?? now,
    moment: {
      ...{ flows, language, say: deps.texts[language], timing: deps.timing },
      ...{ revision: dialogue.revision + 1, now, wrote, workId: newId() },
    },
    turn: (data) => ({ ...visit, data, message }),
  };
}

export function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
