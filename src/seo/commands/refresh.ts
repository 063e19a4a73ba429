import { facts, print, reading, table, withCore } from "../../terminal/index.ts";
import { archiveDepsOf } from "../parts.ts";
import { readRefresh } from "../refresh/read-refresh.ts";
import { refreshRules } from "../refresh/rules.ts";
import type { PageFigures, Refresh } from "../refresh/shape.ts";
import { type ForPerson, forPerson, idIn } from "./for-person.ts";
import type { AddSeoCommand } from "./seo.ts";

/** `molva seo refresh list`. */
export const addRefresh: AddSeoCommand = (parent, terminal) => {
  const command = parent.command("refresh").description("articles that lose their readers");
  forPerson(
    reading(command, "list", "pages of a project with their clicks from search, the largest losses first"),
  )
    .argument("<project>", "its number", idIn)
    .option("--all", "also those that lose nothing")
    .action(async (id: number, options: ForPerson & { readonly all?: boolean }) => {
      const found = await withCore(terminal, options, (core, workspaceId) =>
        readRefresh(archiveDepsOf(core), { workspaceId, userId: options.user }, id),
      );
      const items = options.all ? found.items : found.items.filter(({ verdict }) => verdict === "falling");
      print(terminal, options, { ...found, items }, () => refreshText({ ...found, items }, options.user));
    });
};

const pagesText = table<PageFigures>("No page loses its readers.", {
  clicks: ({ clicks, clicks_before }) => `${clicks_before} -> ${clicks}`,
  place: ({ position, position_before }) => `${position_before ?? "?"} -> ${position ?? "?"}`,
  verdict: ({ verdict }) => verdict.replace("_", " "),
  phrase: ({ phrase }) => phrase ?? "",
  url: ({ url }) => url,
});

/** An operator is the support that others are sent to. */
const unnamed = {
  google: "Set GOOGLE_SEARCH_CONSOLE_KEY: the bot then tells owners the account to add in Search Console.",
  yandex:
    "Set YANDEX_WEBMASTER_LOGIN: the bot then tells owners the login to which they delegate their site.",
} as const;

function refreshText({ archives, is_enough, items }: Refresh, user: number): string {
  const known = facts(
    archives.map(({ engine, site, is_shared, from, to, problem }) => [
      `${engine}, ${site}`,
      is_shared
        ? `${from === null ? "nothing archived yet" : `archived from ${from} to ${to}`}${problem ? `, last reading: ${problem}` : ""}`
        : "not shared with our account",
    ]),
  );
  const next = items.find((each) => each.verdict === "falling" && each.is_ours && each.category_id !== null);
  return [
    archives.length === 0
      ? "Nothing is archived: connect a site, and set GOOGLE_SEARCH_CONSOLE_KEY or YANDEX_WEBMASTER_TOKEN."
      : known,
    ...archives.flatMap(({ engine, share }) =>
      share ? [share.account === null ? unnamed[engine] : share.en] : [],
    ),
    is_enough ? pagesText(items) : `Too little data: ${2 * refreshRules.days} days are needed.`,
    ...(next
      ? [`Write it anew: molva seo article write ${next.category_id} --update ${next.url} --user ${user}`]
      : []),
  ].join("\n\n");
}
