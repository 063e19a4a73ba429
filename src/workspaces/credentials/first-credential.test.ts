import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import { createVault, generateKey } from "../../kernel/crypto/index.ts";
import { ensureWorkspace } from "../tenants/first-workspace.ts";
import { noVariables } from "../testing/variables.ts";
import { type FirstCredential, firstCredential } from "./first-credential.ts";

let database: TestDatabase;
let credential: FirstCredential;
beforeAll(async () => {
  database = await testDatabase();
  const { sql } = database;
  await ensureWorkspace({ sql, clock: systemClock }, { operator: "test" });
  const [{ workspace_id }] = await sql<[{ workspace_id: string }]>`
    select workspace_id from workspaces.workspaces limit 1`;
  const vault = createVault([generateKey()]);
  credential = firstCredential({ sql, clock: systemClock, vault, variables: noVariables }, workspace_id, {
    ...{ platform: "telegraph", auth_ref: "previews" },
  });
});
afterAll(() => database.drop());

it("keeps the first of several tokens that come at once, encrypted, and tells everybody which", async () => {
  expect(await credential.token()).toBeUndefined();
  const kept = await Promise.all(["token-1", "token-2", "token-3"].map((token) => credential.keep(token)));
  expect(new Set(kept).size).toBe(1);
  expect(await credential.token()).toBe(kept[0]);
  const stored = await database.sql<{ ciphertext: string }[]>`select ciphertext from workspaces.secrets`;
  expect(stored.map(({ ciphertext }) => ciphertext).join()).not.toContain("token-");
});

it("lets only the token that no longer works give way", async () => {
  const known = (await credential.token()) ?? "";
  expect(await credential.keep("token-4", "token-0")).toBe(known);
  expect(await credential.keep("token-4", known)).toBe("token-4");
  expect(await credential.keep("token-5", known)).toBe("token-4");
});
