import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../../../tests/support/database.ts";
import { createTokens, createVariables } from "../../../workspaces/index.ts";
import { noVariables } from "../../../workspaces/testing/variables.ts";
import { aChannel } from "../../testing/builders.ts";
import { type AdminHarness, startAdminHarness } from "../testing/harness.ts";

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdminHarness(await testDatabase());
});
afterAll(() => harness?.stop());

async function tokenOf(authRef: string): Promise<string | undefined> {
  const [row] = await harness.sql<{ secret_ref: string }[]>`
    select secret_ref from workspaces.credential_bindings
    where workspace_id = ${harness.workspaceId} and auth_ref = ${authRef}`;
  const credentials = createTokens(harness.sql, harness.vault, noVariables);
  return row && credentials.token(harness.workspaceId, row.secret_ref);
}

describe("credentials", () => {
  // covers autoposting: Table: channels
  it("go in encrypted and never come out", async () => {
    const token = "123456:AAbbccddeeff";
    const put = await harness.call("PUT", "/credentials/telegram/news-bot", { token });
    expect(put).toMatchObject({
      status: 200,
      body: { auth_ref: "news-bot", kept_in: "vault", rotated_at: null },
    });
    expect(await tokenOf("news-bot")).toBe(token);
    const list = await harness.call("GET", "/credentials");
    const { resumed_channels, ...shown } = put.body;
    expect(resumed_channels).toBe(0);
    expect(list.body.items).toEqual([shown]);
    const stored = await harness.sql`select * from workspaces.secrets`;
    for (const text of [put, list, stored, await harness.events()].map((shown) => JSON.stringify(shown)))
      expect(text).not.toContain(token);
  });

  it("are taken by their fields too, and refused field by field", async () => {
    const fields = { token: "by-its-field-1" };
    expect(await harness.call("PUT", "/credentials/max/by-fields", { fields })).toMatchObject({
      status: 200,
    });
    expect(await tokenOf("by-fields")).toBe(fields.token);
    await harness.call("DELETE", "/credentials/max/by-fields");

    const refused = async (body: object) => {
      const answer = await harness.call("PUT", "/credentials/max/by-fields", body);
      expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
      return answer.body.errors;
    };
    expect(await refused({})).toMatchObject([{ detail: "Give one of token and fields" }]);
    expect(await refused({ token: "one-of-two", fields })).toMatchObject([
      { detail: "Give one of token and fields" },
    ]);
    expect(await refused({ fields: { token: "short", surplus: "x" } })).toMatchObject([
      { pointer: "/fields/surplus", detail: "surplus is not known; there are token" },
      { pointer: "/fields/token" },
    ]);
    expect(await refused({ fields: { token: "" } })).toMatchObject([
      { pointer: "/fields/token", detail: "token is missing" },
    ]);
    expect(await tokenOf("by-fields")).toBeUndefined();
  });

  it("open nothing in another row than their own", async () => {
    await harness.call("PUT", "/credentials/telegram/mine", { token: "my-own-token" });
    await harness.call("PUT", "/credentials/telegram/copy", { token: "another-token" });
    await harness.sql`
      update workspaces.secrets s set ciphertext = (
        select m.ciphertext from workspaces.credential_bindings b
        join workspaces.secrets m on b.secret_ref = 'vault:' || m.secret_id where b.auth_ref = 'mine')
      from workspaces.credential_bindings c where c.auth_ref = 'copy' and c.secret_ref = 'vault:' || s.secret_id`;
    expect(await tokenOf("mine")).toBe("my-own-token");
    await expect(tokenOf("copy")).rejects.toThrow("copied from another place");
    for (const name of ["mine", "copy"]) await harness.call("DELETE", `/credentials/telegram/${name}`);
  });

  it("that are a variable are read only for the workspace that it is bound to", async () => {
    const variables = createVariables([{ name: "SHOP_BOT", workspace: harness.workspaceId }], {
      SHOP_BOT: "777:token",
      DATABASE_URL: "postgres://molva:password@localhost/molva",
    });
    const { token } = createTokens(harness.sql, harness.vault, variables);
    expect(await token(harness.workspaceId, "env:SHOP_BOT")).toBe("777:token");
    expect(await token(harness.workspaceId, "env:DATABASE_URL")).toBeUndefined();
    expect(await token(randomUUID(), "env:SHOP_BOT")).toBeUndefined();
  });

  it("are replaced, and what was replaced is deleted", async () => {
    await harness.call("PUT", "/credentials/max/shop", { token: "first-token" });
    const { body } = await harness.call("PUT", "/credentials/max/shop", {
      token: "second-token",
      reason: "утечка",
    });
    expect(body.rotated_at).not.toBeNull();
    expect(await tokenOf("shop")).toBe("second-token");
    const [kept] = await harness.sql`
      select count(*)::int from workspaces.secrets s
      where not exists (select from workspaces.credential_bindings b where b.secret_ref = 'vault:' || s.secret_id)`;
    expect(kept?.count).toBe(0);
    expect((await harness.events()).at(-1)).toMatchObject({
      action: "config_changed",
      meta: { object: "credential", auth_ref: "shop", rotated: true, reason: "утечка" },
    });
  });

  it("leave no secret behind when two are put at once", async () => {
    const tokens = ["token-number-one", "token-number-two", "token-number-three"];
    await Promise.all(tokens.map((token) => harness.call("PUT", "/credentials/telegram/race", { token })));
    expect(tokens).toContain(await tokenOf("race"));
    const [bindings] = await harness.sql`select count(*)::int from workspaces.credential_bindings`;
    const [secrets] = await harness.sql`select count(*)::int from workspaces.secrets`;
    expect(secrets).toEqual(bindings);
  });

  it("are deleted only when no channel uses them", async () => {
    await harness.call("PUT", "/credentials/telegram/used", { token: "used-token" });
    const id = await aChannel(harness.sql, harness.workspaceId, { auth_ref: "used" });
    expect((await harness.call("DELETE", "/credentials/telegram/used")).status).toBe(409);
    await harness.sql`delete from delivery.channels where channel_id = ${id}`;
    expect((await harness.call("DELETE", "/credentials/telegram/used")).status).toBe(204);
    expect(await tokenOf("used")).toBeUndefined();
    expect((await harness.call("DELETE", "/credentials/telegram/used")).status).toBe(404);
  });

  it("tell how many channels refusals have stopped, and let them go on when asked", async () => {
    await harness.call("PUT", "/credentials/telegram/revoked", { token: "revoked-token" });
    const refused = {
      category: "PERMANENT",
      scope: "channel",
      code: "unauthorized",
      message: "токен отозван",
    };
    const until = new Date(Date.now() + 3_600_000);
    const ids: Record<string, string> = {};
    for (const name of ["paused", "disabled", "manual", "working"])
      ids[name] = await aChannel(harness.sql, harness.workspaceId, { title: name, auth_ref: "revoked" });
    const stop = (
      name: string,
      action: string,
      error: typeof refused | null,
      meta: Record<string, string | boolean>,
    ) => harness.sql`
      insert into workspaces.events (workspace_id, channel_id, action, result, error, meta)
      values (${harness.workspaceId}, ${ids[name] ?? ""}, ${action}, 'error', ${error && harness.sql.json(error)}, ${harness.sql.json(meta)})`;
    await harness.sql`update delivery.channels set paused_until = ${until} where title in ('paused', 'manual')`;
    await harness.sql`update delivery.channels set enabled = false where title = 'disabled'`;
    await stop("paused", "channel_paused", refused, { paused_until: until.toISOString() });
    await stop("disabled", "channel_disabled", refused, {});
    await stop("manual", "channel_paused", null, {
      manual: true,
      operator: "anna",
      paused_until: until.toISOString(),
    });

    const path = "/credentials/telegram/revoked";
    expect((await harness.call("PUT", path, { token: "another-token" })).body).toMatchObject({
      channels: 4,
      stopped_channels: 2,
      resumed_channels: 0,
    });
    expect((await harness.call("PUT", path, { token: "third-token", resume: true })).body).toMatchObject({
      stopped_channels: 0,
      resumed_channels: 2,
    });
    const standing = await harness.sql`
      select title from delivery.channels
      where workspace_id = ${harness.workspaceId} and auth_ref = 'revoked' and (not enabled or paused_until is not null)`;
    expect([...standing]).toEqual([{ title: "manual" }]);
  });

  it.each(["", "with space", "short", 5])("refuse %j for a token", async (token) => {
    expect((await harness.call("PUT", "/credentials/telegram/bad", { token })).status).toBe(400);
  });
});
