import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { type Ran, runCommand } from "../../cli/testing/run-command.ts";
import { aChannel, aWorkspace } from "../testing/builders.ts";
import { addRender } from "./render.ts";

let database: TestDatabase;
let workspace: string;
const home = tempFolder("cli-render");

beforeAll(async () => {
  database = await testDatabase();
  workspace = await aWorkspace(database.sql);
  await aChannel(database.sql, workspace, { title: "Новости", target_id: "-100555" });
  await aChannel(database.sql, workspace, {
    platform: "max",
    target_id: "-71",
    title: "МАКС",
    settings: { too_long: "split" },
  });
});
afterAll(() => database.drop());

function render(...args: string[]): Promise<Ran> {
  const environment = { MOLVA_HOME: home, DATABASE_URL: database.url };
  return runCommand(addRender, ["render", ...args, "--workspace", workspace], environment);
}

function file(name: string, text: string): string {
  const path = join(home, name);
  writeFileSync(path, text);
  return path;
}

describe("molva render", () => {
  it("shows the messages, the requests and the losses of a file, by its ending", async () => {
    const post = file("post.md", "# Заголовок\n\n**Жирный** и [ссылка](example.ru)");
    const { code, out } = await render("--channel", "Новости", post);
    expect(code).toBe(0);
    expect(out).toContain("message 1 of 1 ");
    expect(out).toContain("\nЗаголовок\n\nЖирный и ссылка\n");
    expect(out).toContain("POST /bot<token>/sendMessage\n{");
    expect(out).toContain('"chat_id": -100555');
    expect(out).toMatch(/Lost on this platform:\n {2}heading_as_bold {2}a heading is shown as bold text/);
    expect(out).toMatch(/Put right in the text:\n {2}link_completed {2}.*\(line 3, column \d+\)/);
  });

  it("takes a payload as JSON and answers in JSON", async () => {
    const payload = { text: "Абзац. ".repeat(900), buttons: [[{ text: "Да", url: "https://a.ru" }]] };
    const { code, out } = await render(
      "--channel",
      "МАКС",
      file("post.json", JSON.stringify({ payload })),
      "--json",
    );
    expect(code).toBe(0);
    const report = JSON.parse(out);
    expect(report.messages).toHaveLength(2);
    expect(report.messages.map(({ buttons }: { buttons: unknown[] }) => buttons.length)).toEqual([0, 1]);
    expect(report.losses).toContainEqual(expect.objectContaining({ code: "text_in_parts" }));
  });

  it("ends with 1 where the channel would refuse, and says why", async () => {
    const long = await render("--channel", "Новости", file("long.txt", "я".repeat(4097)));
    expect(long).toMatchObject({ code: 1, err: expect.stringContaining("4097 UTF-16 units, at most 4096") });
    const lossy = await render("--channel", "Новости", "--strict", file("list.md", "- а\n- б"));
    expect(lossy).toMatchObject({ code: 1, err: expect.stringContaining("list_as_bullets") });
  });

  it.each([
    [["--channel", "Нет такого"], "There is no channel Нет такого"],
    [["--channel", "Новости", "--html", "--markdown"], "Choose one of --html and --markdown"],
    [["--channel", "Новости", "--dialect", "textile"], "Allowed choices are commonmark"],
  ])("%j is refused in words", async (args, words) => {
    const { code, err } = await render(...args, file("post.txt", "Текст"));
    expect(code).toBeGreaterThan(0);
    expect(err).toContain(words);
  });

  it("says that a file is missing or is no JSON", async () => {
    expect((await render("--channel", "Новости", join(home, "нет.md"))).err).toContain("cannot be read");
    expect((await render("--channel", "Новости", file("bad.json", "{"))).err).toContain(
      "is not a JSON object",
    );
    expect((await render("--channel", "Новости", file("wrong.json", '{"text":1}'))).err).toContain("text");
  });
});
