import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { startTwins } from "../../../twins/index.ts";
import { cliHarness } from "../../cli/testing/cli-harness.ts";
import { addCredentialCommand } from "./credential.ts";

/** Filled when the twin listens. */
const environment: Record<string, string> = {
  PINTEREST_APP_ID: "15",
  PINTEREST_APP_SECRET: "app-secret",
  MOLVA_PUBLIC_URL: "https://molva.example.com",
};
const { json, molva } = cliHarness({
  home: tempFolder("cli-credential-connect"),
  openDatabase: testDatabase,
  commands: { credential: addCredentialCommand },
  environment,
});

let twins: Awaited<ReturnType<typeof startTwins>>;
let fields: string;

beforeAll(async () => {
  twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: false, rateLimits: false });
  environment.PINTEREST_API_ROOT = `${twins.url}/pinterest`;
  const redirect_uris = ["https://molva.example.com/api/auth/pinterest/callback"];
  await control("apps", { client_id: "15", client_secret: "app-secret", redirect_uris });
  await control("accounts", { username: "shop" });
  await control("boards", { id: "549755885175", username: "shop", name: "Осенний чай" });
  const { access_token, refresh_token } = await control("tokens", { client_id: "15", username: "shop" });
  fields = JSON.stringify({ access_token, refresh_token, expires_at: "2100-01-01T00:00:00Z" });
});
afterAll(() => twins.close());

async function control(path: string, body: object): Promise<ReturnType<typeof JSON.parse>> {
  const headers = { "content-type": "application/json" };
  const url = `${twins.url}/_control/pinterest/${path}`;
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return JSON.parse(await answer.text());
}

async function stored(): Promise<void> {
  const file = join(tempFolder("fields"), "fields.json");
  writeFileSync(file, fields);
  await molva("credential", "set", "pinterest", "shop", "--fields-file", file);
}

describe("molva credential connect", () => {
  it("prints a link that is good for half an hour", async () => {
    const { out } = await molva("credential", "connect", "pinterest", "shop");
    expect(out).toMatch(
      /https:\/\/molva\.example\.com\/api\/auth\/pinterest\?user_id=\S+&nonce=[0-9a-f]{32}/,
    );
    const link = await json("credential", "connect", "pinterest", "shop");
    expect(Date.parse(link.expires_at) - Date.now()).toBeGreaterThan(29 * 60_000);
    expect(link).toMatchObject({ platform: "pinterest", auth_ref: "shop" });
  });

  it("says what a platform without consent asks for", async () => {
    const { code, err } = await molva("credential", "connect", "telegram", "bot");
    expect(code).not.toBe(0);
    expect(err).toContain("store its credential instead");
  });
});

describe("molva credential places", () => {
  it("lists the boards of an account", async () => {
    await stored();
    expect(await json("credential", "places", "pinterest", "shop")).toEqual({
      items: [{ target_id: "549755885175", title: "Осенний чай", members: 0 }],
    });
    expect((await molva("credential", "places", "pinterest", "shop")).out).toContain("Осенний чай");
  });

  it("says what is missing", async () => {
    expect((await molva("credential", "places", "pinterest", "shop")).err).toContain(
      "There is no pinterest credential shop",
    );
    expect((await molva("credential", "places", "telegram", "bot")).err).toContain(
      "does not say where an account may post",
    );
  });
});
