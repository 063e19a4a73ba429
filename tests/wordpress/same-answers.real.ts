import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestTwins, type TestTwins } from "../../twins/shared/testing.ts";
import { type Client, clientOf } from "./client.ts";
import { missingForComparison, phpMaxima, type RealWordPress, startRealWordPress } from "./real-wordpress.ts";
import { plainScenarios, type Scenario, scenarios } from "./scenarios.ts";

let real: RealWordPress;
let twins: TestTwins;
let askReal: Client;
let askTwin: Client;

const comparable = missingForComparison().length === 0;

beforeAll(async () => {
  if (!comparable) return;
  real = await startRealWordPress();
  twins = await startTestTwins();
  const users = Object.entries(real.users).map(([role, { login, email, password }]) => ({
    role,
    login,
    email,
    passwords: [password],
  }));
  await twins.control("POST", "/wordpress/sites", {
    name: "twin",
    title: "Проверка",
    bad_password: "ignored",
    registered_meta: ["_yoast_wpseo_title", "_yoast_wpseo_metadesc"],
    upload_max_bytes: phpMaxima.uploadBytes,
    post_max_bytes: phpMaxima.postBytes,
    users,
  });
  askReal = clientOf(real);
  askTwin = clientOf({ url: `${twins.url}/wordpress/twin`, users: real.users });
});

afterAll(async () => {
  await twins?.close();
  await real?.stop();
});

const answersAlike = async ({ run }: Scenario) => expect(await run(askTwin)).toEqual(await run(askReal));
const named = (list: readonly Scenario[]) => list.map((scenario) => [scenario.name, scenario] as const);
const refusing = scenarios.filter(({ name }) => name === "wrong credentials");

describe.runIf(comparable)("the twin answers as WordPress does", () => {
  test.each(named(scenarios))("%s", (_name, scenario) => answersAlike(scenario));

  describe("when a plugin asks early who is there, so that wrong passwords are refused", () => {
    beforeAll(async () => {
      await real.set({ refusesBadPasswords: true });
      await twins.control("PATCH", "/wordpress/sites/twin", { bad_password: "refused" });
    });
    test.each(named(refusing))("%s", (_name, scenario) => answersAlike(scenario));
  });

  describe("without application passwords", () => {
    beforeAll(async () => {
      await real.set({ applicationPasswords: false });
      await twins.control("PATCH", "/wordpress/sites/twin", { application_passwords: "off" });
    });
    afterAll(async () => {
      await real.set({ applicationPasswords: true });
      await twins.control("PATCH", "/wordpress/sites/twin", { application_passwords: "on" });
    });
    test("the index offers none, and credentials are ignored", async () => {
      const run = async (ask: Client) => [
        (await ask("GET", "/wp-json/")).body.authentication,
        (await ask("GET", "/wp-json/wp/v2/users/me", { as: "administrator" })).body,
      ];
      expect(await run(askTwin)).toEqual(await run(askReal));
    });
  });

  describe("with plain permalinks", () => {
    beforeAll(async () => {
      await real.set({ plainPermalinks: true });
      await twins.control("PATCH", "/wordpress/sites/twin", { permalinks: "plain" });
    });
    test.each(named(plainScenarios))("%s", (_name, scenario) => answersAlike(scenario));
  });
});
