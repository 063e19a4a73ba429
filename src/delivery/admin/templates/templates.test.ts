import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../../../tests/support/database.ts";
import { aChannel, aWorkspace } from "../../testing/builders.ts";
import { type AdminHarness, startAdminHarness } from "../testing/harness.ts";

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdminHarness(await testDatabase());
});
afterAll(() => harness?.stop());

const save = (template_id: string, given: { body?: string; activate?: boolean } = {}) =>
  harness.call("POST", "/templates", { template_id, body: "{{ text }}", ...given });

async function versions(template: string): Promise<string[]> {
  const { body } = await harness.call("GET", `/templates/${template}`);
  return body.versions.map(
    ({ version, active }: { version: number; active: boolean }) => `${version}${active ? " active" : ""}`,
  );
}

describe("templates", () => {
  it("are saved version by version, one of them active, each step with an event", async () => {
    const first = await harness.call("POST", "/templates", {
      template_id: "news",
      body: "1 {{ text }}",
      activate: true,
    });
    expect(first).toMatchObject({ status: 201, body: { template_id: "news", version: 1, active: true } });
    await harness.call("POST", "/templates", { template_id: "news", body: "2 {{ text }}" });
    const before = await harness.call("GET", "/templates/news");
    expect(before.body).toMatchObject({
      version: 1,
      active: true,
      versions: [{ version: 2 }, { version: 1 }],
    });

    const activated = await harness.call("POST", "/templates/news/activate", {
      version: 2,
      reason: "готова",
    });
    expect(activated.body).toMatchObject({ version: 2, active: true });
    expect((await harness.call("GET", "/templates")).body.items).toMatchObject([
      { template_id: "news", version: 2 },
    ]);
    expect(await harness.events()).toMatchObject([
      { action: "config_changed", meta: { object: "template", version: 1, active: true } },
      { action: "config_changed", meta: { object: "template", version: 2, active: false } },
      {
        action: "config_changed",
        meta: { object: "template", version: 2, activated: true, reason: "готова" },
      },
    ]);
  });

  it.each(["a\0b", "a\ud800b"])("are refused with text that cannot be stored: %j", async (body) => {
    const answer = await save("unstorable", { body });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: "/body" }] } });
    expect((await harness.call("GET", "/templates/unstorable")).status).toBe(404);
  });

  it("go back to an earlier version, and stay as they are when it does not exist", async () => {
    await save("back", { activate: true });
    await save("back", { activate: true });
    expect((await harness.call("POST", "/templates/back/activate", { version: 1 })).status).toBe(200);
    expect((await harness.call("POST", "/templates/back/activate", { version: 9 })).status).toBe(404);
    expect(await versions("back")).toEqual(["2", "1 active"]);
  });

  it("that several people save and activate at once get a number each and one active version", async () => {
    const saved = await Promise.all(Array.from({ length: 12 }, () => save("many", { activate: true })));
    expect(saved.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
    await Promise.all(
      [3, 5, 7, 9].map((version) => harness.call("POST", "/templates/many/activate", { version })),
    );
    expect((await versions("many")).filter((version) => version.endsWith("active"))).toHaveLength(1);
  });

  it("are listed by name, page by page, for their own workspace only", async () => {
    const stranger = await aWorkspace(harness.sql);
    await harness.sql`select delivery.save_template(${stranger}, 'listed-0', 'чужой', '{}', true)`;
    for (const name of ["listed-c", "listed-a", "listed-b"]) await save(name);
    await save("listed-a", { body: "второй", activate: true });
    await save("listed-a", { body: "третий" });

    const pages = await harness.pages("/templates");
    expect(pages.slice(0, -1).every((page) => page.length === 2)).toBe(true);
    const listed = pages.flat();
    expect(listed.filter(({ template_id }) => template_id.startsWith("listed"))).toMatchObject([
      { template_id: "listed-a", body: "второй" },
      { template_id: "listed-b" },
      { template_id: "listed-c" },
    ]);
    expect((await harness.call("GET", "/templates/listed-0")).status).toBe(404);
  });

  it("that cannot be read are refused with the place", async () => {
    const answer = await harness.call("POST", "/templates", { template_id: "bad", body: "раз\n{% if %}" });
    expect(answer).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining("line 2"), errors: [{ pointer: "/body" }] },
    });
    const wrongMode = { template_id: "bad", body: "а", defaults: { parse_mode: "BBCode" } };
    expect(await harness.call("POST", "/templates", wrongMode)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/defaults/parse_mode" }] },
    });
    expect((await harness.call("GET", "/templates/bad")).status).toBe(404);
  });

  it("are deleted only when no channel is written by them", async () => {
    await harness.call("POST", "/templates", { template_id: "used", body: "{{ text }}", activate: true });
    const id = await aChannel(harness.sql, harness.workspaceId);
    const bound = await harness.call("PATCH", `/channels/${id}`, { template_ref: "used" });
    expect(bound.body.template_ref).toBe("used");
    expect((await harness.call("DELETE", "/templates/used")).status).toBe(409);
    await harness.call("PATCH", `/channels/${id}`, { template_ref: null });
    expect((await harness.call("DELETE", "/templates/used")).status).toBe(204);
    expect((await harness.call("DELETE", "/templates/used")).status).toBe(404);
  });
});
