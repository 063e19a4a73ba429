/** The newcomer's way, from /start to what is published, as criteria in its order. */
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { type Criterion, callTwins, demo, type Script } from "../../../delivery/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";
import type { Newcomer } from "./newcomer.ts";

export interface Way {
  readonly sql: Sql;
  readonly twinsUrl: string;
  readonly newcomer: Newcomer;
  readonly site: { readonly name: string; readonly login: string; readonly password: string };
  readonly channel: { readonly chat: number; readonly name: string; readonly token: string };
}

type Step = Criterion<Way>;

const { workspaceId } = demo;

const begins: Step = {
  name: "start",
  title: "/start welcomes a newcomer with 1,500 tokens and a keyboard",
  async play({ newcomer, sql }, { step, check }) {
    step("/start");
    await newcomer.say("/start");
    await check("the bot says what it does", () => newcomer.sees("SEO Master"));
    await check("1,500 tokens are there, once", async () => (await balanceOf(sql, newcomer)) === 1_500);
    await check("the keyboard stands below the chat", async () =>
      (await newcomer.messages()).some(({ buttons }) =>
        buttons.flat().some(({ text }) => text === "Написать статью"),
      ),
    );
  },
};

const project: Step = {
  name: "project",
  title: "a project is made of four answers",
  async play(way, script) {
    const { newcomer, sql, site } = way;
    await newcomer.open("project:new");
    const answers = ["Чайная", "Два листа", "весовой чай и посуда", `https://${site.name}.wordpress.test`];
    for (const [index, answer] of answers.entries()) {
      await script.check(`question ${index + 1} of 4`, () => newcomer.sees(`(${index + 1}/4)`));
      await newcomer.say(answer);
    }
    await script.check("the project is there", async () => (await projectOf(sql, newcomer)) !== undefined);
  },
};

const connects: Step = {
  name: "site",
  title: "a WordPress site is connected, and its password leaves the chat",
  async play({ newcomer, sql, site }, script) {
    const projectId = await projectOf(sql, newcomer);
    await newcomer.open(`project:${projectId}:connect:wordpress`);
    await script.check("the address is asked for", () => newcomer.sees("WordPress (1/3)"));
    await newcomer.say(`https://${site.name}.wordpress.test`);
    await script.check("the login is asked for", () => newcomer.sees("WordPress (2/3)"));
    await newcomer.say(site.login);
    await script.check("the password is asked for", () => newcomer.sees("WordPress (3/3)"));
    await newcomer.say(site.password);
    await script.check(
      "the site is connected",
      async () => (await connectionOf(sql, newcomer, "wordpress")) !== undefined,
    );
    await script.check("the password is gone from the chat", async () =>
      (await newcomer.messages()).every(({ text }) => !text.includes(site.password)),
    );
  },
};

const buys: Step = {
  name: "tokens",
  title: "tokens are bought for Stars and are there at once",
  async play({ newcomer, sql, twinsUrl }, script) {
    const before = await balanceOf(sql, newcomer);
    await callTwins(twinsUrl, "PUT", `/_control/telegram/people/${newcomer.id}/stars`, { stars: 100_000 });
    await newcomer.open("tariffs");
    await script.check("the packages are shown with what they are enough for", () =>
      newcomer.sees("Что сколько стоит"),
    );
    await newcomer.open("tariff:starter");
    await pressed(script, newcomer, "Оплатить Stars");
    await script.check("an invoice comes and is paid", () => newcomer.pays());
    await script.check("the tokens are there", async () => (await balanceOf(sql, newcomer)) > before);
  },
};

const phrases = ["как выбрать чай улун", "как заваривать пуэр", "зелёный чай польза", "чай для подарка"];

const theme: Step = {
  name: "category",
  title: "a category is named, and its phrases come from a file",
  async play({ newcomer, sql }, script) {
    const projectId = await projectOf(sql, newcomer);
    await newcomer.open(`project:${projectId}:category:new`);
    await script.check("the name is asked for", () => newcomer.sees("Новая категория"));
    await newcomer.say("Листовой чай");
    await script.check("the category is there", async () => (await categoryOf(sql, newcomer)) !== undefined);
    const categoryId = await categoryOf(sql, newcomer);
    await newcomer.open(`category:${categoryId}:keywords:upload`);
    await script.check("a file is asked for", () => newcomer.sees("TXT-файл"));
    await newcomer.sendFile("phrases.txt", phrases.join("\n"));
    await script.check("the phrases are kept", async () => {
      const [row] = await sql<{ keywords: unknown[] }[]>`
        select keywords from seo.categories where workspace_id = ${workspaceId} and id = ${categoryId ?? 0}`;
      return (row?.keywords.length ?? 0) > 0;
    });
  },
};

const article: Step = {
  name: "article",
  title: "an article is written, looked at in a preview, and published on the site",
  async play({ newcomer, sql, twinsUrl, site }, script) {
    await newcomer.open(await articleAddress(sql, newcomer));
    await script.check("the cost is said before", () => newcomer.sees("Стоимость: ~"));
    await pressed(script, newcomer, "Да, сгенерировать");
    await script.check("the preview is a page with the article", () => newcomer.sees("Превью: http"));
    await pressed(script, newcomer, "Опубликовать");
    await script.check("the bot says it is published, with a receipt", () => newcomer.sees("Опубликовано!"));
    await script.check(
      "the article stands on the site",
      async () => (await postsOn(twinsUrl, site.name)) > 0,
    );
    const { typed, taps } = newcomer.effort;
    script.step(`${typed} answers and ${taps} taps so far, with a purchase and a site`);
  },
};

const post: Step = {
  name: "post",
  title: "a post about the same goes to a Telegram channel",
  async play({ newcomer, sql, twinsUrl, channel }, script) {
    const projectId = await projectOf(sql, newcomer);
    await newcomer.open(`project:${projectId}:connect:telegram`);
    await script.check("the channel is asked for", () => newcomer.sees("Telegram (1/2)"));
    await newcomer.say(`@${channel.name}`);
    await script.check("the token is asked for", () => newcomer.sees("Telegram (2/2)"));
    await newcomer.say(channel.token);
    await script.check(
      "the channel is connected",
      async () => (await connectionOf(sql, newcomer, "telegram")) !== undefined,
    );
    const [categoryId, connectionId] = [
      await categoryOf(sql, newcomer),
      await connectionOf(sql, newcomer, "telegram"),
    ];
    await newcomer.open(`category:${categoryId}:connection:${connectionId}:post`);
    await pressed(script, newcomer, "Да, сгенерировать");
    await script.check("the post is shown before", () => newcomer.sees("Публикуем?"));
    await pressed(script, newcomer, "Опубликовать");
    await pressed(script, newcomer, "Информация");
    await script.check("the post stands in the channel", async () => {
      const shown = await callTwins(twinsUrl, "GET", `/_control/chats/telegram/${channel.chat}/messages`);
      return z.object({ messages: z.array(z.unknown()) }).parse(shown).messages.length > 0;
    });
  },
};

const refund: Step = {
  name: "refund",
  title: "an article that fails gives its tokens back, and says so",
  async play({ newcomer, sql, twinsUrl }, script) {
    const before = await balanceOf(sql, newcomer);
    const fault = await callTwins(twinsUrl, "POST", "/_control/faults", {
      ...{ provider: "openrouter", fault: { kind: "status", status: 500 } },
    });
    const { id } = z.object({ id: z.union([z.string(), z.number()]) }).parse(fault);
    try {
      const said = (await newcomer.messages()).length;
      await newcomer.open(await articleAddress(sql, newcomer));
      await pressed(script, newcomer, "Да, сгенерировать");
      await script.check("the tokens are held", async () => (await balanceOf(sql, newcomer)) < before);
      await script.check("the tokens are back", async () => (await balanceOf(sql, newcomer)) === before);
      await script.check("the bot says so, with a way on", async () => {
        const last = (await newcomer.messages()).slice(said - 2).findLast(({ author }) => author.bot);
        return /[Тт]окены|[Вв]озвращ/.test(last?.text ?? "") && (last?.buttons.length ?? 0) > 0;
      });
    } finally {
      await callTwins(twinsUrl, "DELETE", `/_control/faults/${id}`, {});
    }
  },
};

/** To which the next parts of the way are added. */
export const way: readonly Step[] = [begins, project, connects, buys, theme, article, post, refund];

/** A button may come a moment later. */
async function pressed({ check }: Script, newcomer: Newcomer, label: string): Promise<void> {
  await delay(300);
  await check(`[${label}]`, () => newcomer.press(label));
}

async function balanceOf(sql: Sql, { id }: Newcomer): Promise<number> {
  const [row] = await sql<{ balance: number }[]>`
    select balance::int from seo.users_with_balance where workspace_id = ${workspaceId} and id = ${id}`;
  return row?.balance ?? 0;
}

async function projectOf(sql: Sql, { id }: Newcomer): Promise<number | undefined> {
  const [row] = await sql<{ id: number }[]>`
    select id from seo.projects where workspace_id = ${workspaceId} and user_id = ${id} limit 1`;
  return row?.id;
}

async function categoryOf(sql: Sql, newcomer: Newcomer): Promise<number | undefined> {
  const [row] = await sql<{ id: number }[]>`
    select id from seo.categories where workspace_id = ${workspaceId} and project_id = ${(await projectOf(sql, newcomer)) ?? 0}`;
  return row?.id;
}

async function connectionOf(sql: Sql, newcomer: Newcomer, platform: string): Promise<number | undefined> {
  const [row] = await sql<{ id: number }[]>`
    select id from seo.platform_connections
    where workspace_id = ${workspaceId} and project_id = ${(await projectOf(sql, newcomer)) ?? 0} and platform_type = ${platform}`;
  return row?.id;
}

async function articleAddress(sql: Sql, newcomer: Newcomer): Promise<string> {
  const [category, site] = [await categoryOf(sql, newcomer), await connectionOf(sql, newcomer, "wordpress")];
  return `category:${category}:connection:${site}:article`;
}

async function postsOn(twinsUrl: string, site: string): Promise<number> {
  const answer = await callTwins(twinsUrl, "GET", `/_control/wordpress/sites/${site}/posts`);
  return z.object({ posts: z.array(z.unknown()) }).parse(answer).posts.length;
}
