import type { Said } from "../said.ts";

/** What a person hears if a schedule could not be set up at QStash. Molva's own clock publishes meanwhile, if later. */
export const remoteFailure: Readonly<Record<"refused" | "trouble", Said>> = {
  refused: {
    ru: "Расписание сохранено, но сервис расписаний его не принял. Мы разбираемся, а пока публикации могут выходить с опозданием до 40 минут. Делать ничего не нужно.",
    en: "The schedule is saved, but the scheduling service refused it. We are looking into it; meanwhile publications may be up to 40 minutes late. There is nothing to do.",
  },
  trouble: {
    ru: "Расписание сохранено, но сервис расписаний пока не отвечает. Попробуем снова сами, а до тех пор публикации могут выходить с опозданием до 40 минут. Делать ничего не нужно.",
    en: "The schedule is saved, but the scheduling service does not answer yet. We will try again; until then publications may be up to 40 minutes late. There is nothing to do.",
  },
};
