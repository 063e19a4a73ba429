import { randomUUID } from "node:crypto";
import { type ManualClock, manualClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { silentLog } from "../../kernel/log/index.ts";
import type { Timer } from "../../kernel/worker/index.ts";
import type { Meet } from "../engine/deps.ts";
import { createDialogs, type Dialogs, type DialogsSettings } from "../engine/dialogs.ts";
import type { BotKey } from "../engine/dialogue.ts";
import type { Flow, Media } from "../flow/flow.ts";
import type { BotKeyboard } from "../flow/keyboard.ts";
import type { Route } from "../flow/screens.ts";
import type { Messenger, Update } from "../messenger.ts";
import { createRecorder, type Recorder } from "./recorder.ts";

/** One person who talks to a bot with a recorded messenger; the database is real, the test moves time. */
export interface Person {
  readonly chatId: string;
  readonly key: BotKey;
  readonly clock: ManualClock;
  readonly messenger: Recorder;
  readonly dialogs: Dialogs;
  say(text: string): Promise<void>;
  command(command: string, argument?: string): Promise<void>;
  send(media: Media): Promise<void>;
  edit(): Promise<void>;
  /** Taps the button with this label on the last screen. */
  press(label: string): Promise<void>;
  pressPayload(payload: string, messageId?: string): Promise<void>;
  receive(...updates: Update[]): Promise<void>;
  next(): { id: number; chatId: string; userId: string; language: "ru" | "en"; messageId: string };
  text(): string;
  labels(): string[];
  stands(): Promise<string>;
  row(): Promise<Record<string, unknown>>;
  /** Another process with the same database and messenger. */
  another(): Dialogs;
}

export interface PersonOptions<Services> {
  readonly sql: Sql;
  readonly flows: readonly Flow<Services>[];
  readonly services: Services;
  readonly home?: string | undefined;
  readonly screens?: readonly Route<Services>[];
  readonly keyboard?: BotKeyboard<Services>;
  readonly meet?: Meet<Services>;
  readonly files?: (key: string) => Promise<Uint8Array | undefined>;
  readonly house?: Pick<DialogsSettings<Services>, "texts" | "pace" | "timing" | "looksSecret">;
  readonly language?: "ru" | "en";
  readonly workspaceId?: string;
  /** The number of the person and of their chat, where a bot wants numbers. */
  readonly userId?: string;
  readonly begins?: Date;
  readonly timer?: Timer;
  /** A messenger with room for texts of any length shows those that are too long. */
  readonly longestText?: number;
  /** A real messenger that shows the dialog too. */
  readonly shownAt?: { readonly chatId: string; readonly messenger: Messenger };
}

export async function aPerson<Services>(options: PersonOptions<Services>): Promise<Person> {
  const { sql, flows, services, home, language = "ru" } = options;
  const clock = manualClock(options.begins);
  const messenger = createRecorder(
    options.shownAt?.messenger,
    options.longestText === undefined ? {} : { longestText: options.longestText },
  );
  const workspaceId = options.workspaceId ?? randomUUID();
  await sql`
    insert into workspaces.workspaces (workspace_id, name) values (${workspaceId}, ${"Разговоры"})
    on conflict do nothing`;
  const key = { workspaceId, bot: `bot-${randomUUID().slice(0, 8)}` };
  const chatId = options.shownAt?.chatId ?? options.userId ?? randomUUID().slice(0, 8);
  const process = () =>
    createDialogs({
      sql,
      log: silentLog,
      key,
      flows,
      messenger,
      services,
      clock,
      ...(home !== undefined && { home }),
      ...(options.screens && { screens: options.screens }),
      ...(options.keyboard && { keyboard: options.keyboard }),
      ...(options.meet && { meet: options.meet }),
      ...(options.files && { files: options.files }),
      ...(options.timer && { timer: options.timer }),
      ...options.house,
    });
  const dialogs = process();
  let count = 0;
  const next: Person["next"] = () => {
    count += 1;
    return { id: count, chatId, userId: options.userId ?? "u1", language, messageId: `in${count}` };
  };
  const receive: Person["receive"] = async (...updates) => {
    await dialogs.receive(updates);
    await dialogs.settle();
  };
  const row: Person["row"] = async () => {
    const [found] = await sql`select * from dialogs.dialogues where bot = ${key.bot} and chat_id = ${chatId}`;
    return found ?? {};
  };
  const pressPayload: Person["pressPayload"] = (payload, messageId = messenger.last(chatId).id) => {
    const update = next();
    return receive({ ...update, messageId, kind: "press", pressId: `p${update.id}`, payload });
  };
  return {
    chatId,
    key,
    clock,
    messenger,
    dialogs,
    receive,
    next,
    row,
    pressPayload,
    another: process,
    say: (text) => receive({ ...next(), kind: "text", text }),
    command: (command, argument = "") => receive({ ...next(), kind: "command", command, argument }),
    send: (media) => receive({ ...next(), kind: "media", media }),
    edit: () => receive({ ...next(), kind: "edited" }),
    async press(label) {
      const button = messenger.last(chatId).buttons.find((each) => each.label === label);
      if (button?.payload === undefined)
        throw new Error(`no button ${label} on: ${messenger.last(chatId).text}`);
      await pressPayload(button.payload);
    },
    text: () => messenger.last(chatId).text,
    labels: () => messenger.last(chatId).buttons.map(({ label }) => label),
    async stands() {
      const { flow, state, at } = await row();
      if (flow) return `${flow}.${state}`;
      return at ? `screen:${at}` : "nowhere";
    },
  };
}
