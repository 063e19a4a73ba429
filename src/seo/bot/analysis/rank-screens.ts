/** Where a project's articles stand in Google, and how that has changed in a week. */
import type { Language } from "../../../dialogs/index.ts";
import { cut } from "../../../kernel/words/index.ts";
import { readProject } from "../../projects/projects.ts";
import { publicationPage } from "../../publications/publications.ts";
import type { Publication } from "../../publications/shape.ts";
import { rankChange } from "../../ranks/ranks.ts";
import { inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";

/** As many as one message shows; the others are over HTTP and on the command line. */
const most = 30;

export const ranks = screen("project:{id}:ranks", {
  to: ["pipeline:article:start", "project:{id}:analysis"],
  async show({ id }, visit) {
    const { sql, sources } = inStep(visit);
    const whose = whoseOf(visit);
    const project = await ifFound(() => readProject(sql, whose, id));
    if (!project) return undefined;
    const { items } = await publicationPage(sql, whose, {
      ...{ project_id: id, content_type: "article", status: "success", limit: most },
    });
    const say = texts[visit.language].analysis;
    const lines = items
      .filter(isNewestOfPage)
      .map((each) => `• ${cut(each.keyword ?? "", 60)} — ${placeOf(each, visit.language)}`);
    return {
      text: [
        say.ranks.title(project.name, sources.dataforseo.country[visit.language]),
        lines.length === 0 ? say.ranks.none : lines.join("\n"),
        sources.isOn("dataforseo") ? say.ranks.weekly : say.ranks.off,
      ].join("\n\n"),
      buttons: [
        [{ label: say.audit.article, to: "pipeline:article:start", style: "primary" }],
        [{ label: say.toAnalysis, to: `project:${id}:analysis` }],
      ],
    };
  },
});

/** An article that was updated is in the history twice. */
const isNewestOfPage = ({ post_url }: Publication, index: number, all: readonly Publication[]) =>
  post_url !== null && all.findIndex((each) => each.post_url === post_url) === index;

function placeOf(ranked: Publication, language: Language): string {
  const say = texts[language].analysis.ranks;
  const { rank_position: position, rank_checked_at } = ranked;
  if (rank_checked_at === null) return say.notYet;
  const change = rankChange(ranked);
  if (position === null) return change.kind === "lost" ? say.lost(ranked.rank_before ?? 0) : say.absent;
  const place = say.place(position);
  switch (change.kind) {
    case "up":
      return `${place} ${say.up(change.places)}`;
    case "down":
      return `${place} ${say.down(change.places)}`;
    case "same":
      return `${place} ${say.same}`;
    case "appeared":
      return `${place} ${say.appeared}`;
    default:
      return place;
  }
}
