import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { cliHarness } from "../../cli/testing/cli-harness.ts";
import { addSeo } from "./seo.ts";

const home = tempFolder("cli-seo");
const harness = cliHarness({
  home,
  openDatabase: async () => {
    const database = await testDatabase();
    await database.sql`select workspaces.ensure_event_partitions()`;
    return database;
  },
  commands: { seo: addSeo },
  environment: { MOLVA_ENV: "development", ADMIN_ID: "42" },
});
const { molva, json, lastEvent } = harness;

it("leads from a person to a project, a category, phrases, prices and settings, and back", async () => {
  const fields = ["name=Мебель", "company_name=Дубрава", "specialization=кухни на заказ"];
  const early = await molva("seo", "project", "add", ...fields, "--user", "42");
  expect(early.err).toContain("There is no person 42.");
  expect((await molva("seo", "user", "add", "42", "--name", "Анна")).out).toContain("with 1500 tokens");
  expect(await json("seo", "user", "show", "42")).toMatchObject({ role: "admin", balance: 1_500 });
  const project = await json("seo", "project", "add", ...fields, "--user", "42");
  const id = String(project.id);
  const set = (...args: string[]) => molva("seo", "project", "set", id, ...args, "--user", "42");
  expect((await set("company_email=anna@")).err).toContain("This cannot be the field E-mail");
  expect((await set("timezone=MSK")).err).toContain("not a time zone");
  expect((await set("company_city=Казань", "--reason", "по звонку")).code).toBe(0);
  expect(await lastEvent("config_changed")).toMatchObject({
    meta: { object: "seo_project", reason: "по звонку" },
  });
  expect((await molva("seo", "project", "list", "--user", "42")).out).toMatch(/Мебель.*4\/15/);
  expect((await molva("seo", "project", "show", id, "--user", "43")).err).toContain(
    `There is no project ${id}.`,
  );

  const added = await json("seo", "category", "add", "name=Кухни", "--project", id, "--user", "42");
  const category = String(added.id);
  const phrases = join(home, "phrases.txt");
  await writeFile(phrases, "кухня из дуба\n=шкаф\n");
  const imported = await molva("seo", "keywords", "import", category, phrases, "--user", "42");
  expect(imported.out).toContain("Added 2 phrases");
  expect(imported.out).toContain("The phrases have no search volumes.");
  expect((await molva("seo", "keywords", "export", category, "--user", "42")).out).toContain(`"'=шкаф"`);
  const out = join(home, "out.txt");
  await molva("seo", "keywords", "export", category, "--user", "42", "--format", "txt", "--out", out);
  const removed = await molva(
    ...["seo", "keywords", "delete", category, "--phrase", "=шкаф", "--reason", "лишняя", "--user", "42"],
  );
  expect(removed.out).toContain("Deleted 1 phrase; 1 are left.");

  const prices = join(home, "prices.txt");
  await writeFile(prices, "Стол — 12 000\nСтул");
  const wrong = await molva("seo", "price", "import", category, prices, "--user", "42");
  expect(wrong.err).toContain("Line 2 cannot be read");
  await writeFile(prices, "Стол — 12 000\nСтул — 3 000 — дуб");
  expect((await molva("seo", "price", "import", category, prices, "--user", "42")).out).toContain("2 prices");

  const note = join(home, "note.txt");
  await writeFile(note, "Фасады из дуба");
  const media = (...args: string[]) => json("seo", "category", "media", ...args, "--user", "42");
  expect(await media("add", category, note, "--description", "Как мы снимаем")).toMatchObject({
    items: [{ type: "document", file_name: "note.txt", url: expect.stringContaining("seo/") }],
  });
  const { items } = await media("list", category);
  const [{ file_id }] = items;
  await molva("seo", "category", "media", "delete", category, file_id, "--reason", "лишний", "--user", "42");
  expect(await media("list", category)).toMatchObject({ items: [] });
  expect((await molva("seo", "image", "draw", category, "--count", "0", "--user", "42")).err).toContain(
    "1 to 10",
  );

  const settings = ["seo", "settings", "set", category, "count=7", "style=С юмором", "--user", "42"];
  expect(await json(...settings, "--platform", "vk")).toMatchObject({
    ...{ image: { count: 7 }, text: { style: "С юмором", words_max: 300 }, image_from: "platform" },
  });
  expect((await molva(...settings, "count=11")).err).toContain("count");
  const reset = await json("seo", "settings", "reset", category, "--platform", "vk", "--user", "42");
  expect(reset).toMatchObject({ image_from: "default", text_from: "default" });

  const gone = ["seo", "project", "delete", id, "--reason", "закрылись", "--user", "42"];
  expect((await molva(...gone, "--dry-run")).out).toContain("Would delete");
  expect((await molva(...gone)).out).toContain(`Deleted the project ${id} with 1 category, 1 phrase.`);
});
