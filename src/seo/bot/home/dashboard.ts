/** The first screen: what a person has, what they left unfinished, and what they can begin. */
import { readSettings } from "../../../billing/index.ts";
import { flowAddress, type ScreenKey } from "../../../dialogs/index.ts";
import { readOutlook, usualCost } from "../../estimates/outlook.ts";
import { readUser } from "../../people/people.ts";
import { type BotVisit, inStep, screen, whoseOf } from "../services.ts";
import { type Texts, texts } from "../texts/index.ts";

export const dashboard = screen("dashboard", {
  commands: ["start", "menu"],
  interrupts: true,
  to: [
    ...["pipeline:article:start", "pipeline:social:start", "page:projects:{page}", "profile", "tariffs"],
    ...["settings", "help"],
  ],
  async show(_, visit) {
    const { home, common } = texts[visit.language];
    const say = home.dashboard;
    const { sql } = inStep(visit);
    // Sent together, so that the screen waits for the database once.
    const [outlook, left, greeted] = await Promise.all([
      readOutlook(sql, whoseOf(visit)),
      unfinished(visit),
      greeting(visit, say),
    ]);
    const { balance, projects, schedules, articlesLeft } = outlook;
    const isBroke = balance <= 0;
    const lines = [
      ...greeted,
      ...(projects === 0 ? [say.noProjects, ""] : []),
      ...left.flatMap(({ title, summary }) => [say.unfinished(title), ...(summary ? [summary] : []), ""]),
      say.balance(common.tokens(balance)),
      ...(balance < 0 ? [say.debt] : []),
      ...(projects > 0 ? [say.counts(projects, schedules)] : []),
      // The greeting says it in its own way.
      ...(greeted.length > 0 ? [] : [say.enough(articlesLeft)]),
      ...(outlook.perWeek > 0 ? [say.forecast(outlook.perWeek)] : []),
      ...(isBroke ? [say.topUpFirst] : outlook.runsOut ? [say.runsOut] : []),
      "",
      say.next,
    ];
    // Whoever has networks and no site wants posts.
    const isSocial = outlook.hasNetwork && !outlook.hasSite;
    const primary = (wanted: boolean) => (wanted ? { style: "primary" as const } : {});
    const article: ScreenKey[] = [
      { label: say.article, to: "pipeline:article:start", ...primary(!isBroke && !isSocial) },
    ];
    const post: ScreenKey[] = [
      { label: say.post, to: "pipeline:social:start", ...primary(!isBroke && isSocial) },
    ];
    return {
      text: lines.join("\n"),
      buttons: [
        isBroke ? [{ label: say.topUp, to: "tariffs", ...primary(true) }] : [],
        ...left.flatMap(({ flow, word }): ScreenKey[][] => {
          // Two of them have to be told apart, by labels that take more room.
          const label = (text: string) => (left.length > 1 ? `${text}: ${word}` : text);
          const resume = { label: label(say.resume), to: flowAddress(flow, "resume") };
          const others = [
            { label: label(say.restart), to: flowAddress(flow, "restart") },
            { label: label(say.discard), to: flowAddress(flow, "discard") },
          ];
          return left.length > 1 ? [[resume], others] : [[resume, ...others]];
        }),
        ...(isSocial ? [post, article] : [article, post]),
        [
          { label: say.projects, to: "page:projects:1" },
          { label: say.profile, to: "profile" },
          { label: say.tokens, to: "tariffs" },
        ],
        [
          { label: say.settings, to: "settings" },
          { label: say.help, to: "help" },
        ],
      ],
    };
  },
});

type Say = Texts["home"]["dashboard"];

/** What the bot does, until there is a project; the bonus in the step that brought the person here for the first time. */
async function greeting(visit: BotVisit, say: Say): Promise<string[]> {
  const { sql } = inStep(visit);
  const user = await readUser(sql, whoseOf(visit));
  if (user.created_at.getTime() !== visit.now.getTime()) return [];
  const { welcome_tokens: bonus } = await readSettings(sql, visit.workspaceId);
  const { common } = texts[visit.language];
  const given = say.bonus(common.tokens(bonus), Math.round(bonus / usualCost.article));
  return [say.welcome, "", ...(bonus > 0 ? [given, ""] : [])];
}

const pipelines = [
  { flow: "ArticlePipeline", title: "article" },
  { flow: "SocialPipeline", title: "post" },
] as const;

async function unfinished(visit: BotVisit) {
  const { unfinishedWorks: titles, works } = texts[visit.language].home.dashboard;
  const kept = await Promise.all(pipelines.map(({ flow }) => visit.kept(flow)));
  return pipelines.flatMap(({ flow, title }, index) => {
    const found = kept[index];
    if (!found) return [];
    const { summary } = found;
    const words = typeof summary === "object" ? summary.markdown : summary;
    return [{ flow, title: titles[title], word: works[title], summary: words }];
  });
}
