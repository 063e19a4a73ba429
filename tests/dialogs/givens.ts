/** What a script may ask to be there before it begins. Add a line here when a script needs something new. */
import { adjust } from "../../src/billing/index.ts";
import { addCategory } from "../../src/seo/categories/categories.ts";
import { givenClusters } from "../../src/seo/categories/given-clusters.ts";
import { addClusters } from "../../src/seo/categories/keywords.ts";
import { setPrices } from "../../src/seo/categories/lists.ts";
import { givenKeywords } from "../../src/seo/categories/shape.ts";
import { connectPlatform } from "../../src/seo/connections/connect.ts";
import { demoBusiness } from "../../src/seo/demo/demo-business.ts";
import { meet } from "../../src/seo/people/people.ts";
import { addProject } from "../../src/seo/projects/projects.ts";
import { expireArticles } from "../../src/seo/publish/expire-articles.ts";
import type { SeoBotHarness, SeoPerson } from "../support/seo-bot.ts";
import { administrators } from "./house.ts";
import { board, channel, community, site } from "./networks.ts";
import { ScriptError } from "./script.ts";

/** The person of the script, and what they have so far. */
export interface Stage {
  readonly harness: SeoBotHarness;
  /** Made when they first do something, so that a script may say who they are. */
  readonly about: { language: string; id?: number };
  person(): Promise<SeoPerson>;
  /** Of the projects that are prepared. */
  readonly company: string;
  /** Those of this script that have not ended. */
  readonly faults: string[];
  project?: number;
  category?: number;
}

type Given = readonly [RegExp, (stage: Stage, ...parts: string[]) => Promise<void>];

const givens: readonly Given[] = [
  [
    /^человек с телеграмом на английском$/,
    async ({ about }) => {
      about.language = "en";
    },
  ],
  [
    /^администратор (\d)$/,
    async ({ about }, number = "1") => {
      about.id = need(administrators[Number(number) - 1], "администратор от 1 до 5");
    },
  ],
  [
    /^проект «(.+?)»(?: с сайтом (\S+))?(?: в городе (\S+))?$/,
    async (stage, name = "", website_url, company_city) => {
      const { services } = stage.harness;
      const whose = await whoseOf(stage);
      const { specialization } = demoBusiness.project;
      const project = await addProject(services, whose, {
        ...{ name, company_name: stage.company, specialization },
        ...(website_url !== undefined && {
          website_url: website_url.replace("{человек}", String(whose.userId)),
        }),
        ...(company_city !== undefined && { company_city }),
      });
      stage.project = project.id;
    },
  ],
  [
    /^категория «(.+?)»(, без фраз|, только товарные фразы|, (\d) кластера?)?(, без описания)?$/,
    async (stage, name = "", phrases = "", most = "9", unsaid) => {
      const { services } = stage.harness;
      const whose = await whoseOf(stage);
      const { description, prices, clusters: given } = demoBusiness.category;
      const { id } = await addCategory(services, whose, need(stage.project, "проект"), {
        name,
        ...(unsaid === undefined && { description }),
      });
      stage.category = id;
      if (phrases === ", без фраз") return;
      await setPrices(services, whose, id, prices);
      const { clusters = [] } = givenKeywords.parse({ clusters: given });
      const chosen = phrases.includes("товарные")
        ? clusters.filter(({ cluster_type }) => cluster_type === "product_page")
        : clusters.slice(0, Number(most));
      await addClusters(services, whose, id, givenClusters(chosen));
    },
  ],
  [
    /^(второй )?сайт на WordPress(, не подключённый)?$/,
    async (stage, second, apart) => {
      const whose = await whoseOf(stage);
      const { login, appPassword, url } = await site(stage.harness, whose.userId, second ? 2 : 1);
      if (apart) return;
      await connectPlatform(stage.harness.services, whose, need(stage.project, "проект"), {
        platform_type: "wordpress",
        fields: { url, login, app_password: appPassword },
      });
    },
  ],
  [
    /^канал в Telegram(, не подключённый)?(, бот не администратор)?$/,
    async (stage, apart, powerless) => {
      const { harness } = stage;
      const whose = await whoseOf(stage);
      const { token, target } = await channel(harness, whose.userId, { rights: powerless === undefined });
      if (apart || powerless) return;
      await connectPlatform(harness.services, whose, need(stage.project, "проект"), {
        ...{ platform_type: "telegram", fields: { token }, target },
      });
    },
  ],
  [
    /^бот (больше не|снова) администратор канала$/,
    async (stage, how) => {
      const { userId } = await whoseOf(stage);
      await channel(stage.harness, userId, { rights: how === "снова" });
    },
  ],
  [
    /^сообщество VK(, не подключённое)?$/,
    async (stage, apart) => {
      const whose = await whoseOf(stage);
      const { token, target } = await community(stage.harness, whose.userId);
      if (apart) return;
      await connectPlatform(stage.harness.services, whose, need(stage.project, "проект"), {
        ...{ platform_type: "vk", fields: { token }, target },
      });
    },
  ],
  [
    /^токен VK (отозван|снова действует)$/,
    async (stage, how) => {
      const { userId } = await whoseOf(stage);
      await stage.harness.control("PATCH", `/vk/tokens/vk1.a.shop-${userId}`, { revoked: how === "отозван" });
    },
  ],
  [
    /^доска Pinterest(, не подключённая)?$/,
    async (stage, apart) => {
      const whose = await whoseOf(stage);
      const { fields, target } = await board(stage.harness, whose.userId);
      if (apart) return;
      await connectPlatform(stage.harness.services, whose, need(stage.project, "проект"), {
        ...{ platform_type: "pinterest", fields, target },
      });
    },
  ],
  [
    /^баланс (\d+)$/,
    async (stage, wanted = "0") => {
      const { workspaceId, userId } = await whoseOf(stage);
      const person = await stage.person();
      const tokens = Number(wanted) - (await person.balance());
      const by = { operator: "script", reason: "a script" };
      if (tokens !== 0) await adjust(stage.harness.services, workspaceId, { userId, tokens }, by);
    },
  ],
  [
    /^деньги за последнюю покупку картой возвращены$/,
    async ({ harness, person }) => {
      const { id } = await person();
      const [paid] = await harness.sql<{ payment: string; rub: string }[]>`
        select yookassa_payment_id as payment, amount_rub::text as rub from billing.payments
        where user_id = ${id} and yookassa_payment_id is not null order by id desc limit 1`;
      const { payment, rub } = need(paid, "покупка картой");
      await harness.control("POST", "/yookassa/refunds", {
        payment_id: payment,
        amount: { value: rub, currency: "RUB" },
      });
    },
  ],
  [
    /^превью старше суток$/,
    async ({ harness, person }) => {
      const { id } = await person();
      await harness.sql`
        update seo.article_previews set expires_at = now() - interval '1 minute', created_at = now() - interval '2 days'
        where user_id = ${id}`;
      const { articles, runs, cleanUp } = harness.services;
      await expireArticles({ ...articles, runs, cleanUp });
    },
  ],
  [
    /^бот ещё не знает своего имени$/,
    async ({ harness }) => {
      await harness.sql`delete from seo.bots where workspace_id = ${harness.workspaceId}`;
    },
  ],
  [
    /^лимит подборов за час исчерпан$/,
    async (stage) => {
      const { workspaceId, userId } = await whoseOf(stage);
      await stage.harness.sql`
        insert into seo.runs (workspace_id, user_id, kind, status, input, keywords, created_at, ended_at)
        values (${workspaceId}, ${userId}, 'keywords', 'cancelled', '{}', 5, now(), now())`;
    },
  ],
];

export async function prepare(stage: Stage, what: string): Promise<void> {
  for (const [pattern, make] of givens) {
    const match = pattern.exec(what);
    if (match) return make(stage, ...match.slice(1));
  }
  throw new ScriptError(`nobody knows how to prepare: ${what} (see tests/dialogs/givens.ts)`);
}

async function whoseOf({ harness, person }: Stage) {
  const whose = { workspaceId: harness.workspaceId, userId: (await person()).id };
  await meet(harness.services, whose, { firstName: "Ирина", language: "ru" });
  return whose;
}

function need<T>(thing: T | undefined, what: string): T {
  if (thing === undefined) throw new ScriptError(`first say: Дано: ${what}`);
  return thing;
}
