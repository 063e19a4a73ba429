import {
  addList,
  changing,
  moment,
  type Paged,
  print,
  reading,
  table,
  UserError,
  withCore,
} from "../../terminal/index.ts";
import { rankDepsOf } from "../parts.ts";
import { publicationPage } from "../publications/publications.ts";
import type { Publication } from "../publications/shape.ts";
import { checkRanks } from "../ranks/check-ranks.ts";
import { type RankCheck, rankChange, ranksOf } from "../ranks/ranks.ts";
import { asPerson, type ForPerson, forPerson, idIn } from "./for-person.ts";
import type { AddSeoCommand } from "./seo.ts";

interface OfProject extends ForPerson, Paged {
  readonly project?: number;
}

/** `molva seo rank list|show|check`. */
export const addRanks: AddSeoCommand = (parent, terminal) => {
  const command = parent.command("rank").description("where articles stand in Google's results");
  addList<Publication, OfProject>(command, terminal, {
    about: "a person's articles with their places and the change since the week before",
    choosing: (made) => forPerson(made).option("--project <id>", "only of this project", idIn),
    page: ({ sql }, workspaceId, { user: userId, project: project_id, ...page }) =>
      publicationPage(
        sql,
        { workspaceId, userId },
        { ...page, project_id, content_type: "article", status: "success" },
      ),
    shown: table("No articles were published yet.", {
      id: ({ id }) => String(id),
      phrase: ({ keyword }) => keyword ?? "",
      place: placeText,
      checked: ({ rank_checked_at }) => (rank_checked_at ? moment(rank_checked_at) : "not yet"),
      url: ({ post_url }) => post_url ?? "",
    }),
  });
  forPerson(reading(command, "show", "every check of one article, the newest first"))
    .argument("<publication>", "its number", idIn)
    .action(async (id: number, options: ForPerson) => {
      const items = await asPerson(terminal, options, ({ sql }, whose) => ranksOf(sql, whose, id));
      print(terminal, options, { items }, () => checksText(items));
    });
  forPerson(
    changing(command, "check", "check the articles whose week is over now, instead of at night"),
  ).action(async (options: ForPerson) => {
    const done = await withCore(terminal, options, (core, workspaceId) => {
      const deps = rankDepsOf(core);
      if (!deps.sources.isOn("dataforseo"))
        throw new UserError("DataForSEO is not connected: set DATAFORSEO_LOGIN and DATAFORSEO_PASSWORD.");
      if (deps.depth === 0) throw new UserError("Checks are switched off: SEO_RANK_DEPTH is 0.");
      return checkRanks(deps, { whose: { workspaceId, userId: options.user } });
    });
    const { checked, failed, stopped } = done;
    print(terminal, options, { checked, failed, stopped: stopped?.reason ?? null }, () =>
      [
        `Checked ${checked}${failed > 0 ? `, ${failed} could not be checked` : ""}.`,
        ...(stopped ? [stopped.message.en] : []),
      ].join("\n"),
    );
  });
};

const checksText = table<RankCheck>("It was not checked yet.", {
  time: ({ checked_at }) => moment(checked_at),
  place: ({ position, depth }) => (position === null ? `not in the first ${depth}` : String(position)),
});

/** `7 (+3)`: the place, and how many places it has won or lost. */
export function placeText(ranked: Publication): string {
  const { rank_position: position, rank_checked_at } = ranked;
  if (rank_checked_at === null) return "";
  const change = rankChange(ranked);
  switch (change.kind) {
    case "up":
      return `${position} (+${change.places})`;
    case "down":
      return `${position} (-${change.places})`;
    case "same":
      return `${position} (=)`;
    case "appeared":
      return `${position} (new)`;
    case "lost":
      return `not found (was ${ranked.rank_before})`;
    default:
      return position === null ? "not found" : String(position);
  }
}
