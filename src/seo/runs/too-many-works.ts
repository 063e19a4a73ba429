import { lasting } from "../../kernel/words/index.ts";
import { SeoProblem } from "../problems.ts";

/** The hour has no room for another work. */
export function tooManyWorks(limit: number, againAt: Date, now: Date): SeoProblem {
  const seconds = Math.max(1, Math.ceil((againAt.getTime() - now.getTime()) / 1000));
  return new SeoProblem(
    "too_many_works",
    {
      ru: `Превышен лимит генераций (${limit}/час). Следующая попытка через ${Math.ceil(seconds / 60)} мин.`,
      en: `The limit of ${limit} an hour is reached. Try again in ${lasting(seconds, "en")}.`,
    },
    { headers: { "retry-after": String(seconds) } },
  );
}
