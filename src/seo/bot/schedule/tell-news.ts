/** Tells people what became of their autopublications. */
import { type Language, type NoticeKeys, notify, type ScreenKey } from "../../../dialogs/index.ts";
import type { Ended, News, Published, TellNews } from "../../schedules/news.ts";
import { platformNames } from "../../settings/platform-names.ts";
import { botName } from "../bot-name.ts";
import { connectionName, placeName } from "../connections/place-name.ts";
import { texts } from "../texts/index.ts";

interface Telling {
  readonly lines: readonly (string | false | undefined)[];
  readonly keys: NoticeKeys;
}

/** A slot is told once for each thing that happens to it. */
export const tellNews: TellNews = async (tx, news, now) => {
  const { workspaceId, userId, scheduleId, localDate, slot, attempt } = news.slot;
  const told = { ru: tellingOf(news, "ru"), en: tellingOf(news, "en") };
  const id = `autopublish ${workspaceId} ${scheduleId} ${localDate} ${slot} ${attempt} ${news.kind}`;
  await notify(
    tx,
    { workspaceId, bot: botName },
    {
      ...{ chatId: String(userId), id, name: "autopublish" },
      say: { ru: textOf(told.ru), en: textOf(told.en) },
      keys: { ru: told.ru.keys, en: told.en.keys },
    },
    now,
  );
};

const textOf = ({ lines }: Telling) =>
  lines.filter((line) => line !== false && line !== undefined).join("\n");

function tellingOf(news: News, language: Language): Telling {
  switch (news.kind) {
    case "published":
      return published(news, language);
    case "ended":
      return ended(news, language);
    case "later": {
      const say = texts[language].autopublish;
      return {
        lines: [say.later[news.name], whereOf(news, language)],
        keys: [[keysOf(news, language).toSchedule]],
      };
    }
  }
}

/** Warnings that the person can do something about. */
const worthTelling: ReadonlySet<string> = new Set(["phrases", "pictures_failed", "pictures_missing"]);

function published(news: News & Published, language: Language): Telling {
  const { place, url, tokens, balance, isFree, warnings, crossed } = news;
  const say = texts[language].autopublish;
  const keys = keysOf(news, language);
  const told = warnings.filter(({ code }) => worthTelling.has(code));
  const lines = crossed.map(({ name, outcome }) =>
    say.crossedAt(name, outcome.ok ? (outcome.url ?? say.isOut) : outcome.said[language]),
  );
  const wantsPhrases = told.some(({ code }) => code === "phrases");
  return {
    lines: [
      say.published(place.connection.platform_type === "wordpress", placeName(place.connection)),
      url,
      "",
      isFree ? say.free : say.charged(tokens, balance),
      ...(lines.length > 0 ? ["", say.crossed, ...lines] : []),
      ...told.flatMap(({ message }) => ["", message[language]]),
    ],
    keys: [
      ...(url === undefined ? [] : [[{ label: say.keys.open, url }]]),
      ...(wantsPhrases ? [[keys.findPhrases]] : []),
      [keys.toSchedule],
    ],
  };
}

function ended(news: News & Ended, language: Language): Telling {
  const { place, name, said, needed = 0, balance = 0, isReturned, isGivenUp } = news;
  const say = texts[language].autopublish;
  const keys = keysOf(news, language);
  const platform = platformNames[place.connection.platform_type];
  const where = whereOf(news, language);
  const why = said && say.why(said[language]);
  const returned = isReturned && say.returned;
  const rows = (...row: ScreenKey[]) => row.map((each) => [each]);
  switch (name) {
    case "too_few_tokens":
      return {
        lines: [say.ends.too_few_tokens(needed, balance), where],
        keys: rows({ ...keys.topUp, style: "primary" }, keys.toSchedule),
      };
    case "no_phrases":
    case "no_articles":
      return { lines: [say.ends[name](place.categoryName)], keys: rows(keys.findPhrases) };
    case "no_phrase":
      return {
        lines: [say.ends.no_phrase(place.categoryName, said?.[language] ?? ""), returned],
        keys: rows(keys.findPhrases),
      };
    case "not_valid":
      return { lines: [say.ends.not_valid, where, returned], keys: rows(keys.byHand, keys.toCategory) };
    case "refused":
      return {
        lines: [say.ends.refused(platform), where, why, returned, isGivenUp && `\n${say.givenUp}`],
        keys: rows(keys.reconnect, keys.toProject),
      };
    case "platform":
      return {
        lines: [say.ends.platform(platform), where, why, returned, isGivenUp && `\n${say.givenUp}`],
        keys: rows(keys.check, keys.toProject),
      };
    case "internal":
      return {
        lines: [say.ends.internal, where, returned],
        keys: rows(keys.byHand, keys.toSchedule),
      };
    default:
      return { lines: [say.ends.model, where, returned], keys: rows(keys.byHand, keys.toSchedule) };
  }
}

function whereOf({ place }: News, language: Language): string {
  return texts[language].autopublish.where(place.categoryName, connectionName(place.connection));
}

function keysOf({ place }: News, language: Language) {
  const { categoryId, connectionId, projectId, connection } = place;
  const { autopublish, common } = texts[language];
  const say = autopublish.keys;
  const here = `category:${categoryId}:connection:${connectionId}`;
  const isArticle = connection.platform_type === "wordpress";
  return {
    topUp: { label: say.topUp, to: "tariffs" },
    toSchedule: { label: say.toSchedule, to: `${here}:schedule` },
    findPhrases: { label: say.findPhrases, to: `category:${categoryId}:keywords` },
    byHand: { label: say.byHand, to: `${here}:${isArticle ? "article" : "post"}` },
    check: { label: say.check, to: `connection:${connectionId}:check` },
    reconnect: {
      label: say.reconnect(platformNames[connection.platform_type]),
      to: `connection:${connectionId}:reconnect`,
    },
    toCategory: { label: common.toCategory, to: `category:${categoryId}:card` },
    toProject: { label: common.toProject, to: `project:${projectId}:card` },
  } satisfies Record<string, ScreenKey>;
}
