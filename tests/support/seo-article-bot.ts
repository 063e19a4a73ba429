import { demo } from "../../src/delivery/index.ts";
import { addCategory } from "../../src/seo/categories/categories.ts";
import { setPrices } from "../../src/seo/categories/lists.ts";
import { connectPlatform } from "../../src/seo/connections/connect.ts";
import { addProject } from "../../src/seo/projects/projects.ts";
import { aCluster } from "../../src/seo/testing/builders.ts";
import type { RunningSystemOptions } from "./running-system.ts";
import { type SeoBotHarness, type SeoPerson, startSeoBot } from "./seo-bot.ts";

export type ArticleBot = Awaited<ReturnType<typeof startArticleBot>>;

let lastSite = 0;

/** The bot with the whole system, and people who have a project, a theme and a site. */
export async function startArticleBot(options: RunningSystemOptions = {}) {
  const harness: SeoBotHarness = await startSeoBot(options);
  const parts = harness.services;

  /** A WordPress site of the twin's, with one account. */
  async function aSite() {
    lastSite += 1;
    const name = `shop-${lastSite}`;
    const account = { login: "shop", password: "molvaDEMO1234teaSHOP5678" };
    const owner = {
      login: account.login,
      name: "Лавка",
      role: "administrator",
      passwords: [account.password],
    };
    await harness.control("POST", "/wordpress/sites", {
      ...{
        name,
        title: `Лавка ${lastSite}`,
        tagline: "",
        locale: "ru_RU",
        plugins: ["yoast"],
        users: [owner],
      },
    });
    return { ...account, name, address: `https://${name}.wordpress.test` };
  }

  async function connected(person: SeoPerson, projectId: number, site: Awaited<ReturnType<typeof aSite>>) {
    const { id } = await connectPlatform(parts, whoseOf(person), projectId, {
      platform_type: "wordpress",
      fields: { url: site.address, login: site.login, app_password: site.password },
    });
    return id;
  }

  const whoseOf = (person: SeoPerson) => ({ workspaceId: demo.workspaceId, userId: person.id });

  /** Somebody who has been here: a project, a theme with phrases and a description, and a site. */
  async function aBusiness(
    given: {
      readonly person?: SeoPerson;
      readonly phrases?: readonly string[];
      readonly sites?: number;
      readonly prices?: boolean;
      readonly description?: string | null;
      readonly facts?: boolean;
    } = {},
  ) {
    const {
      phrases = ["как выбрать чай улун", "как хранить листовой чай", "пуэр с чего начать"],
      sites: count = 1,
    } = given;
    const person = given.person ?? (await harness.person());
    if (!given.person) {
      await person.say("/start");
      await person.sees("Баланс");
    }
    const whose = whoseOf(person);
    const { id: projectId } = await addProject(parts, whose, {
      ...{ name: "Чайная", company_name: "Два листа", specialization: "весовой чай и посуда" },
      ...((given.facts ?? true) && {
        company_city: "Пермь",
        experience: "В лавке 84 сорта чая; каждую партию пробуем до закупки",
        advantages:
          "Отправка в день заказа до 14:00; пробники по 10 граммов; вернём деньги, если чай не понравился",
      }),
    });
    const { description = "Весовой листовой чай: улуны, зелёный, красный и пуэр." } = given;
    const { id: categoryId } = await addCategory(parts, whose, projectId, {
      name: "Листовой чай",
      ...(description !== null && { description }),
    });
    const clusters = phrases.map((phrase, index) => aCluster(phrase, 900 - index * 100));
    await harness.sql`
      update seo.categories set keywords = ${JSON.stringify(clusters)}::text::jsonb
      where workspace_id = ${demo.workspaceId} and id = ${categoryId}`;
    if (given.prices ?? true)
      await setPrices(parts, whose, categoryId, [{ name: "Улун Те Гуань Инь, 50 г", price: "490 руб." }]);
    const connections: number[] = [];
    const places: Awaited<ReturnType<typeof aSite>>[] = [];
    for (let each = 0; each < count; each += 1) {
      const site = await aSite();
      places.push(site);
      connections.push(await connected(person, projectId, site));
    }
    return {
      person,
      whose,
      projectId,
      categoryId,
      connectionId: connections[0] ?? 0,
      connections,
      sites: places,
    };
  }

  return { ...harness, aSite, connected, aBusiness, whoseOf };
}
