import { notify } from "../../../dialogs/index.ts";
import type { Core } from "../../../workspaces/index.ts";
import type { TellOfRemoteFailure } from "../../qstash/index.ts";
import { botName } from "../bot-name.ts";
import { texts } from "../texts/index.ts";

/** A change of a schedule that QStash did not take is told once, however often it is tried. */
export function tellOfRemoteFailure({ sql, clock }: Pick<Core, "sql" | "clock">): TellOfRemoteFailure {
  return async ({ workspaceId, userId, scheduleId, categoryId, connectionId, changedAt }, say) => {
    const key = (language: "ru" | "en") => ({
      label: texts[language].autopublish.keys.toSchedule,
      to: `category:${categoryId}:connection:${connectionId}:schedule`,
    });
    const id = `remote schedule ${workspaceId} ${scheduleId} ${changedAt.getTime()}`;
    await sql.begin((tx) =>
      notify(
        tx,
        { workspaceId, bot: botName },
        {
          ...{ chatId: String(userId), id, name: "autopublish", say },
          keys: { ru: [[key("ru")]], en: [[key("en")]] },
        },
        clock.now(),
      ),
    );
  };
}
