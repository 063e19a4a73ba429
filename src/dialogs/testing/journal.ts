import { randomUUID } from "node:crypto";
import type { Sql } from "../../kernel/db/index.ts";
import type { BotKey } from "../engine/dialogue.ts";

export interface Place {
  readonly flow: string;
  readonly state: string;
}

/** One committed step of a dialogue; `attempts` is how often the work that it ends was tried. */
export interface Step {
  readonly from: Place | null;
  readonly to: Place | null;
  readonly attempts: number;
  /** The screen that it leads to. */
  readonly at: string | undefined;
}

export interface Journal {
  /** The steps since the last call. */
  take(): Promise<Step[]>;
  close(): Promise<void>;
}

/**
 * Records every step of a chat, including those that the engine makes by itself on the way to a screen. A person who is put
 * somewhere with everything shown has taken no step.
 */
export async function openJournal(
  sql: Sql,
  { chatId, key: { bot } }: { readonly chatId: string; readonly key: BotKey },
): Promise<Journal> {
  const name = `journal_${randomUUID().slice(0, 8)}`;
  await sql.unsafe(`
    create table dialogs.${name} (number bigint generated always as identity, old jsonb not null, new jsonb not null);
    create function dialogs.${name}() returns trigger language plpgsql as $$
    begin
      insert into dialogs.${name} (old, new)
      select jsonb_build_object('flow', old.flow, 'state', old.state, 'attempts', old.work_attempts),
        jsonb_build_object('flow', new.flow, 'state', new.state, 'at', new.at);
      return null;
    end $$;
    create trigger ${name} after update on dialogs.dialogues for each row
      when (new.bot = '${bot}' and new.chat_id = '${chatId}' and new.revision > old.revision
        and new.shown_revision < new.revision) execute function dialogs.${name}();`);
  const place = ({ flow, state }: Row) => (flow === null ? null : { flow, state });
  return {
    async take() {
      const rows = await sql<{ number: number; old: Row; new: Row }[]>`
        with taken as (delete from ${sql(`dialogs.${name}`)} returning *) select * from taken order by number`;
      return rows.map((row) => ({
        ...{ from: place(row.old), to: place(row.new), attempts: row.old.attempts ?? 0 },
        at: row.new.at ?? undefined,
      }));
    },
    async close() {
      await sql.unsafe(`
        drop trigger ${name} on dialogs.dialogues; drop function dialogs.${name}(); drop table dialogs.${name};`);
    },
  };
}

interface Row {
  readonly flow: string | null;
  readonly state: string;
  readonly attempts?: number;
  readonly at?: string | null;
}
