import { expect, it } from "vitest";
import { demoToken } from "../advisor/index.ts";
import { demoAdvisorBot } from "../advisorbot/index.ts";
import { llmProvidersOf } from "../configured/index.ts";
import { demo } from "../delivery/index.ts";
import { loadConfig } from "../kernel/config/index.ts";
import { isPublished } from "../kernel/crypto/index.ts";
import { demoShop } from "../shopbot/index.ts";

it("every secret of the demo is known as published", () => {
  const models = llmProvidersOf(loadConfig({}), {}, "http://127.0.0.1:1");
  const secrets = [
    demo.secret,
    ...demo.bots.map(({ token }) => token),
    demoShop.token,
    demoAdvisorBot.token,
    demoToken,
    ...Object.values(models).flatMap(({ apiKey }) => apiKey ?? []),
  ];
  expect(secrets.length).toBeGreaterThan(6);
  expect(secrets.filter((secret) => !isPublished(secret))).toEqual([]);
});
