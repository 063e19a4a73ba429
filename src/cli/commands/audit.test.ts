import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { noteAudit } from "../../audit/index.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { moveClock } from "../../kernel/db/index.ts";
import { runCommand } from "../testing/run-command.ts";
import { addAudit } from "./audit.ts";
import { addToken } from "./token.ts";
import { addWorkspaceCommand } from "./workspace.ts";

const home = tempFolder("audit-command");
let database: TestDatabase;
let shop: string;

beforeAll(async () => {
  database = await testDatabase();
  shop = await aWorkspace(database.sql, { name: "Магазин" });
  await molva("workspace", "set", "Магазин", "timezone=UTC", "--reason", "переехали");
  await molva("token", "add", "n8n");
  const note = { workspaceId: shop, actor: { kind: "system", id: null }, action: "x", result: "ok" } as const;
  for (let n = 0; n < 4; n += 1) await noteAudit(database.sql, note, new Date());
});
afterAll(() => database?.drop());

const adds = { workspace: addWorkspaceCommand, token: addToken, audit: addAudit } as const;
const molva = (command: keyof typeof adds, ...args: string[]) =>
  runCommand(adds[command], [command, ...args], { MOLVA_HOME: home, DATABASE_URL: database.url });

describe("molva audit", () => {
  it("lists who did what, newest first, page by page", async () => {
    const { out } = await molva(
      "audit",
      "list",
      "--workspace",
      "Магазин",
      "--action",
      "config_changed",
      "--json",
    );
    expect(JSON.parse(out)).toMatchObject({
      items: [
        {
          workspace_id: shop,
          actor: { kind: "command", id: expect.stringMatching(/^uid:\d+@./) },
          // Whoever sits at the command line is named by number and machine; the account's name is a detail.
          meta: {
            ...{ operator: expect.stringMatching(/^command:uid:\d+@./), reason: "переехали" },
            account: userInfo().username,
          },
        },
      ],
      next: null,
    });
    const shown = await molva("audit", "list", "--workspace", "installation");
    expect(shown.out).toContain("token.created");
    const first = JSON.parse((await molva("audit", "list", "--limit", "4", "--json")).out);
    const rest = JSON.parse(
      (await molva("audit", "list", "--limit", "4", "--after", first.next, "--json")).out,
    );
    expect([first.items.length, rest.items.length]).toEqual([4, 2]);
  });

  it("exports what it verifies, and finds a change of the file", async () => {
    const { out } = await molva("audit", "export");
    const file = join(home, "audit.jsonl");
    await writeFile(file, `${out}\n`);
    expect(await molva("audit", "verify", file)).toMatchObject({
      code: 0,
      out: expect.stringContaining("Whole"),
    });
    await writeFile(file, `${out}\n`.replace("переехали", "не знаю"));
    const changed = await molva("audit", "verify", file, "--json");
    expect(changed.code).toBe(1);
    expect(JSON.parse(changed.out).findings[0]).toMatchObject({
      finding: "changed",
      workspace_id: shop,
      seq: 1,
    });
    expect((await molva("audit", "verify", `${file}.absent`)).code).toBe(2);
    expect((await molva("audit", "export", "--format", "csv", "--workspace", shop)).out).toMatch(
      /^workspace_id,seq/,
    );
  });

  it("says that there is no seal yet, or none of the last night, and charges nobody with it", async () => {
    const fresh = await testDatabase();
    const audit = (...args: string[]) =>
      runCommand(addAudit, ["audit", ...args], { MOLVA_HOME: home, DATABASE_URL: fresh.url });
    expect(await audit("verify")).toMatchObject({ code: 0, err: expect.stringContaining("No seal yet") });
    await audit("seal", "--reason", "the first");
    expect(await audit("verify")).toMatchObject({ code: 0, err: "" });
    await moveClock(fresh.sql, 25 * 60 * 60 * 1000);
    expect(await audit("verify")).toMatchObject({ code: 0, err: "" });
    await moveClock(fresh.sql, 2 * 60 * 60 * 1000);
    expect(await audit("verify")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Whole"),
      err: expect.stringMatching(/If no server was running.*`molva audit seal`.*export/),
    });
    await audit("seal", "--reason", "the machine was off");
    expect(await audit("verify")).toMatchObject({ code: 0, err: "" });
    await fresh.drop();
  });

  it("verifies the database, says exactly where it was changed, and is told when that is accepted", async () => {
    expect(await molva("audit", "verify")).toMatchObject({
      code: 0,
      out: expect.stringContaining("in 2 chains"),
    });
    await database.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`delete from audit.entries where chain_id = ${shop} and seq in (2, 3)`;
    });
    const found = await molva("audit", "verify");
    expect(found).toMatchObject({
      code: 1,
      out: expect.stringContaining(`workspace ${shop}, entries 2 to 3:`),
    });
    expect((await molva("audit", "verify", "--workspace", "installation")).code).toBe(0);
    expect((await molva("audit", "seal")).code).toBe(2);
    await molva("audit", "seal", "--reason", "the table was restored without them");
    expect(await molva("audit", "verify")).toMatchObject({
      code: 0,
      out: expect.stringContaining("1 finding accepted"),
    });
  });
});
