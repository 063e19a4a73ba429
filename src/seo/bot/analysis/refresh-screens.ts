/** Articles that lose their readers, and the way to an update of each. */
import type { Language, ScreenKey } from "../../../dialogs/index.ts";
import { cut } from "../../../kernel/words/index.ts";
import { readProject } from "../../projects/projects.ts";
import { readRefresh, readRefreshPage } from "../../refresh/read-refresh.ts";
import type { PageFigures, Refresh } from "../../refresh/shape.ts";
import type { Share } from "../../refresh/share.ts";
import { action, inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";

/** Buttons of one screen. */
const most = 8;

export const refresh = screen("project:{id}:refresh", {
  to: ["refresh:{id}", "project:{id}:connections", "project:{id}:analysis"],
  async show({ id }, visit) {
    const { sql, sources } = inStep(visit);
    const whose = whoseOf(visit);
    const project = await ifFound(() => readProject(sql, whose, id));
    if (!project) return undefined;
    const say = texts[visit.language].analysis;
    const found = await readRefresh({ sql, sources }, whose, id);
    const falling = found.items.filter(({ verdict }) => verdict === "falling");
    const shown = falling.slice(0, most);
    const isOn = sources.isOn("searchconsole") || sources.isOn("webmaster");
    const lines = shown.map((each) => `• ${nameOf(each)} — ${lossOf(each, visit.language)}`);
    const refused = isOn ? toShare(found) : [];
    return {
      text: [
        say.refresh.title(project.name),
        ...(lines.length > 0
          ? [say.refresh.falling, lines.join("\n")]
          : [nothing(found, isOn, visit.language)]),
        ...refused.map(({ share }) => share[visit.language]),
        say.refresh.rule,
      ].join("\n\n"),
      buttons: [
        ...shown.map((each) => [{ label: cut(nameOf(each), 40), to: `refresh:${each.id}` }]),
        ...(isOn && found.archives.length === 0
          ? [[{ label: say.refresh.connect, to: `project:${id}:connections` }]]
          : []),
        ...copiesOf(refused, visit.language),
        [{ label: say.toAnalysis, to: `project:${id}:analysis` }],
      ],
    };
  },
});

type Refused = Refresh["archives"][number] & { readonly share: Share };

/** An engine that has never been opened is of interest only while no other is. */
function toShare({ archives }: Refresh): readonly Refused[] {
  const refused = archives.filter((each): each is Refused => each.share !== null);
  return refused.length === archives.length ? refused : refused.filter(({ is_shared }) => is_shared);
}

function copiesOf(refused: readonly Refused[], language: Language): readonly ScreenKey[][] {
  const accounts = new Map(
    refused.flatMap(({ engine, share: { account } }) =>
      account === null ? [] : [[engine, account] as const],
    ),
  );
  return [...accounts].map(([engine, copy]) => [
    { label: texts[language].analysis.refresh.copy[engine], copy },
  ]);
}

/** Too little data is called that. */
function nothing({ archives, is_enough }: Refresh, isOn: boolean, language: Language): string {
  const say = texts[language].analysis.refresh;
  if (!isOn) return say.off;
  if (archives.length === 0) return say.noSite;
  if (archives.every(({ share }) => share !== null)) return say.notShared;
  return is_enough ? say.none : say.tooLittle;
}

export const refreshPage = screen("refresh:{id}", {
  to: ["refresh:{id}:update", "project:{id}:refresh"],
  async show({ id }, visit) {
    const page = await ifFound(() => readRefreshPage(inStep(visit).sql, whoseOf(visit), id));
    if (!page) return undefined;
    const say = texts[visit.language].analysis.refresh;
    const canUpdate = page.category_id !== null;
    const place =
      page.position === null || page.position_before === null
        ? []
        : [say.position(page.position_before, page.position)];
    return {
      text: [
        page.url,
        "",
        ...(page.phrase === null ? [] : [say.phrase(page.phrase)]),
        say.clicks(page.clicks_before, page.clicks),
        ...place,
        "",
        say.verdicts[page.verdict],
        ...(canUpdate ? [say.offer] : [say.byHand]),
      ].join("\n"),
      buttons: [
        [{ label: say.open, url: page.url }],
        canUpdate ? [{ label: say.update, to: `refresh:${id}:update`, style: "success" }] : [],
        [{ label: say.toList, to: `project:${page.project_id}:refresh` }],
      ],
    };
  },
});

/** The price is confirmed next; nothing on the site changes before the new text was looked at. */
export const beginRefresh = action("refresh:{id}:update", {
  to: ["flow:ArticlePublish"],
  async act({ id }, visit) {
    const page = await ifFound(() => readRefreshPage(inStep(visit).sql, whoseOf(visit), id));
    if (page?.category_id == null) return undefined;
    return {
      data: {
        ...{ projectId: page.project_id, categoryId: page.category_id, connectionId: page.connection_id },
        ...{ update: page.url, phrase: page.phrase ?? "" },
      },
    };
  },
});

const nameOf = ({ phrase, url }: PageFigures) => phrase ?? url.replace(/^https?:\/\//, "");

const lossOf = ({ clicks, clicks_before }: PageFigures, language: Language) => {
  const say = texts[language].analysis.refresh;
  return say.loss(clicks_before, clicks, Math.round((1 - clicks / Math.max(1, clicks_before)) * 100));
};
