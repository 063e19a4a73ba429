import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { demoToken } from "../advisor/index.ts";
import { demoAdvisorBot } from "../advisorbot/index.ts";
import { demo } from "../delivery/index.ts";
import { isPublished } from "../kernel/crypto/index.ts";
import { projectRoot } from "../kernel/paths/index.ts";
import { providersOf } from "../llm/index.ts";
import { configFrom } from "../modules.ts";
import { pinterestTwinApp } from "../platforms/index.ts";
import { demoBusiness, demoSeoBot } from "../seo/index.ts";
import { demoShop } from "../shopbot/index.ts";

it("every secret of the demo is known as published", () => {
  const models = providersOf({ config: configFrom({}), environment: {}, twinsUrl: "http://127.0.0.1:1" });
  const secrets = [
    demo.secret,
    ...demo.bots.map(({ token }) => token),
    demo.vk.token,
    ...Object.values(demo.pinterest.tokens),
    pinterestTwinApp.secret,
    demoShop.token,
    demoAdvisorBot.token,
    demoSeoBot.token,
    demoBusiness.telegram.bot.token,
    demoToken,
    ...Object.values(models).flatMap(({ apiKey }) => apiKey ?? []),
  ];
  expect(secrets.length).toBeGreaterThan(6);
  expect(secrets.filter((secret) => !isPublished(secret))).toEqual([]);
});

it("every token and secret of the demo that a document names is known as published", () => {
  const guides = join(projectRoot, "docs", "guide");
  const files = ["README.md", "README.ru.md"].map((name) => join(projectRoot, name));
  for (const name of readdirSync(guides)) if (name.endsWith(".md")) files.push(join(guides, name));
  const named = files.flatMap(
    (file) =>
      readFileSync(file, "utf8").match(/(\d{10}:)?molva-demo-[a-z0-9-]*(secret|token)[a-z0-9-]*/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((secret) => !isPublished(secret))).toEqual([]);
});
