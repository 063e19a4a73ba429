/** The system that all scripts share: nobody in them waits for another. */
import { twinApp } from "../../src/platforms/pinterest/index.ts";
import { botName } from "../../src/seo/bot/bot-name.ts";
import { type SeoBotHarness, startSeoBot } from "../support/seo-bot.ts";

export const publicUrl = "http://molva.example";
/** A script that says `Дано: администратор` takes the next of them. */
export const administrators = [990_001, 990_002, 990_003, 990_004, 990_005] as const;

export async function startHouse(): Promise<SeoBotHarness> {
  const harness = await startSeoBot({
    business: false,
    environment: {
      MOLVA_PUBLIC_URL: publicUrl,
      SEO_REVIEWS: "on",
      // A busy machine is slow, which is no fault of a provider.
      MOLVA_SEND_TIMEOUT_SECONDS: "20",
      MOLVA_SENDING_LEASE_SECONDS: "60",
      ADMIN_ID: administrators.join(","),
    },
  });
  await harness.control("POST", "/pinterest/apps", {
    ...{ client_id: twinApp.id, client_secret: twinApp.secret, name: "SEO Master" },
    redirect_uris: [`${publicUrl}/api/auth/pinterest/callback`],
  });
  await watchSteps(harness);
  await withoutChance(harness);
  return harness;
}

/** A step of a dialogue: `KeywordGeneration.confirm` to `KeywordGeneration.fetching`; nothing stands for no flow. */
export interface TakenStep {
  readonly chat: string;
  readonly from: string;
  readonly to: string;
}

/** Every change of a dialogue's state is written down by the database, however short it is. */
async function watchSteps({ sql }: SeoBotHarness): Promise<void> {
  await sql.unsafe(`
    create table dialogs.steps_taken (id bigint generated always as identity, chat text, step_from text, step_to text);
    create function dialogs.note_step() returns trigger language plpgsql as $$
      begin
        insert into dialogs.steps_taken (chat, step_from, step_to)
        values (new.chat_id, coalesce(old.flow || '.' || old.state, ''), coalesce(new.flow || '.' || new.state, ''));
        return null;
      end $$;
    create trigger note_step after update on dialogs.dialogues for each row
      when (old.bot = '${botName}' and (old.flow, old.state) is distinct from (new.flow, new.state))
      execute function dialogs.note_step()`);
}

/**
 * Which of the readers' questions an article answers depends on the millisecond in which it was ordered. Here all are ordered in one
 * that two to six questions divide, so a script reads the same article every time.
 */
async function withoutChance({ sql }: SeoBotHarness): Promise<void> {
  await sql.unsafe(`
    create function seo.without_chance() returns trigger language plpgsql as $$
      begin
        new.created_at := date_bin('60 milliseconds', new.created_at, 'epoch');
        return new;
      end $$;
    create trigger without_chance before insert on seo.runs for each row execute function seo.without_chance()`);
}

export async function stepsTaken({ sql }: SeoBotHarness, chat: number): Promise<TakenStep[]> {
  return sql<TakenStep[]>`
    select chat, step_from as from, step_to as to from dialogs.steps_taken where chat = ${String(chat)} order by id`;
}
