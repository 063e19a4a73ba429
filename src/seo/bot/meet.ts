/**
 * Every update passes here first: it registers whom it does not know and notes when they came. Whoever writes too fast does not get
 * as far as this.
 */
import type { Meet } from "../../dialogs/index.ts";
import type { BotServices } from "./services.ts";

const referral = /^ref_([1-9]\d{0,15})$/;

export const meet: Meet<BotServices> = async (visit, update) => {
  const { sql, workspaceId, userId, now, person, services } = visit;
  const id = Number(userId);
  const isStart = update.kind === "command" && update.command === "start";
  const referrer = isStart ? referral.exec(update.argument)?.[1] : undefined;
  // The language is the document's; what people read follows their Telegram.
  await sql`
    select seo.meet_user(${workspaceId}, ${id}, ${person?.username?.slice(0, 255) ?? null}, ${person?.name.slice(0, 255) ?? null},
      null, null, ${referrer === undefined ? null : Number(referrer)}, ${services.admins.includes(id)}, ${now})`;
};
