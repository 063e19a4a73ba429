import { lasting } from "../../kernel/words/index.ts";
import { SeoProblem } from "../problems.ts";
import { type Counted, limits } from "./limits.ts";

const names = {
  texts: "texts",
  images: "pictures",
  keywords: "searches for phrases",
} as const satisfies Record<Counted, string>;

/** The hour has no room for another work. */
export function tooManyWorks(counted: Counted, againAt: Date, now: Date): SeoProblem {
  const limit = limits[counted];
  const seconds = Math.max(1, Math.ceil((againAt.getTime() - now.getTime()) / 1000));
  return new SeoProblem(
    "too_many_works",
    {
      ru: `Превышен лимит генераций (${limit}/час). Следующая попытка через ${Math.ceil(seconds / 60)} мин.`,
      en: `The limit of ${limit} ${names[counted]} an hour is reached. Try again in ${lasting(seconds, "en")}.`,
    },
    { headers: { "retry-after": String(seconds) } },
  );
}
