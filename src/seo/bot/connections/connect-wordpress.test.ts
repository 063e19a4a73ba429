import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SeoBotHarness, type SeoPerson, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import {
  anotherProject,
  answer,
  isKept,
  isReadable,
  pressed,
  seoOwner,
} from "../../../../tests/support/seo-owner.ts";

const password = "abcdEFGH1234ijklMNOP5678";
const site = "lavka.wordpress.test";

let harness: SeoBotHarness;
beforeAll(async () => {
  harness = await startSeoBot({ business: false });
  for (const name of ["lavka", "second"])
    await harness.control("POST", "/wordpress/sites", {
      ...{ name, title: "Лавка", users: [{ login: "anna", role: "administrator", passwords: [password] }] },
    });
});
afterAll(() => harness.close());

const begin = async (person: SeoPerson, project: number) => {
  await person.tap(`project:${project}:connect:wordpress`);
  expect((await person.screen()).text).toContain("WordPress (1/3)");
};

/** Up to the question for the password. */
const upToPassword = async (person: SeoPerson, project: number, at = site) => {
  await begin(person, project);
  expect(await answer(person, at)).toContain("WordPress (2/3)");
  expect(await answer(person, "anna")).toContain("WordPress (3/3)");
};

describe("connecting a WordPress site", () => {
  // covers seo: F15
  it("takes an address without a scheme, a login and a password, and deletes the password's message", async () => {
    const { person, projectId } = await seoOwner(harness);
    await begin(person, projectId);
    expect(await person.stands()).toBe("ConnectWordPress.url");
    expect(await answer(person, site)).toContain("WordPress (2/3)");
    expect(await person.stands()).toBe("ConnectWordPress.login");
    expect(await answer(person, "anna")).toContain("WordPress (3/3)");
    expect(await person.stands()).toBe("ConnectWordPress.password");
    expect(await answer(person, "abcd EFGH 1234 ijkl MNOP 5678")).toContain(`Сайт ${site} подключён!`);
    expect(await person.stands()).toMatch(/^screen:connection:\d+:card$/);
    expect(await isReadable(person, "MNOP")).toBe(false);
    expect(await isKept(harness, "MNOP")).toBe(false);
    expect(await isKept(harness, password)).toBe(false);
    const runs = await harness.sql<{ kind: string }[]>`
      select kind from seo.runs where workspace_id = ${harness.workspaceId} and user_id = ${person.id}`;
    expect(runs.map(({ kind }) => kind).toSorted()).toEqual(["audit", "branding", "site_map"]);
  });

  it("wants an address at which a site answers", async () => {
    const { person, projectId } = await seoOwner(harness);
    await begin(person, projectId);
    for (const wrong of ["просто слова", "nobody.wordpress.test", "http://10.0.0.1", "ftp://lavka.example"]) {
      expect(await answer(person, wrong)).toContain("Сайт недоступен. Проверьте URL");
      expect(await person.stands()).toBe("ConnectWordPress.url");
    }
    await harness.control("POST", "/faults", {
      ...{ provider: "wordpress", method: "GET home", fault: { kind: "status", status: 500 }, times: 1 },
    });
    expect(await answer(person, site)).toContain("Сайт недоступен. Проверьте URL");
    await person.send({ photo: onePixel });
    await person.sees("отправьте текстовое сообщение");
    expect(await answer(person, `https://${site}/wp-admin/`)).toContain("WordPress (2/3)");
  });

  it("wants a login and the form of an Application Password, and deletes a wrong one, too", async () => {
    const { person, projectId } = await seoOwner(harness);
    await begin(person, projectId);
    expect(await answer(person, site)).toContain("WordPress (2/3)");
    expect(await answer(person, "x".repeat(101))).toContain("Введите логин WordPress");
    expect(await answer(person, "anna")).toContain("WordPress (3/3)");
    expect(await answer(person, "my-ordinary-password")).toContain(
      "Введите Application Password из WordPress",
    );
    expect(await person.stands()).toBe("ConnectWordPress.password");
    expect(await isReadable(person, "my-ordinary-password")).toBe(false);
    expect(await isKept(harness, "my-ordinary-password")).toBe(false);
  });

  // covers seo: E50
  it("tells why it failed, and goes on with another attempt, another password or another site", async () => {
    const { person, projectId } = await seoOwner(harness);
    await upToPassword(person, projectId);
    expect(await answer(person, "wrong-wrong-wrong-wrong".replaceAll("-", "").padEnd(24, "0"))).toContain(
      `Не удалось подключиться к ${site}`,
    );
    const failed = await person.screen();
    expect(failed.text).toContain("Сайт не принимает логин или Application Password");
    expect(failed.text).toContain("Возможные причины");
    expect(failed.buttons.flat().map(({ text }) => text)).toEqual([
      ...["Повторить попытку", "Другой сайт", "Ввести логин и пароль заново", "К подключениям", "Отмена"],
    ]);
    await person.press("Повторить попытку");
    expect(await person.stands()).toBe("ConnectWordPress.failed");
    expect(await pressed(person, "Другой сайт")).toContain("WordPress (1/3)");
    expect(await answer(person, "second.wordpress.test")).toContain("WordPress (2/3)");
    expect(await answer(person, "anna")).toContain("WordPress (3/3)");
    expect(await answer(person, password)).toContain("Сайт second.wordpress.test подключён!");
  });

  it("says what a security plugin or a switched-off API does, and connects once that is mended", async () => {
    const { person, projectId } = await seoOwner(harness);
    await harness.control("PATCH", "/wordpress/sites/lavka", { application_passwords: "off" });
    await upToPassword(person, projectId);
    expect(await answer(person, password)).toContain("отключены Application Passwords");
    await harness.control("PATCH", "/wordpress/sites/lavka", { application_passwords: "on" });
    expect(await pressed(person, "Повторить попытку")).toContain(`Сайт ${site} подключён!`);
  });

  // covers seo: E41
  it("asks before a site is connected to a second project", async () => {
    const { person, projectId } = await seoOwner(harness, { name: "Первый" });
    await upToPassword(person, projectId);
    expect(await answer(person, password)).toContain("подключён!");
    const { projectId: second } = await anotherProject(harness, person, { name: "Второй" });
    await upToPassword(person, second);
    expect(await answer(person, password)).toContain(
      "Этот сайт уже подключён к проекту «Первый». Публикации в оба проекта будут идти на один сайт.",
    );
    expect(await person.stands()).toBe("ConnectWordPress.elsewhere");
    await person.press("Подключить всё равно");
    expect(await person.stands()).toMatch(/^screen:connection:\d+:card$/);
  });

  it("offers the project's own address as an answer", async () => {
    const { person, projectId } = await seoOwner(harness, { website: `https://${site}` });
    await begin(person, projectId);
    expect(await pressed(person, site)).toContain("WordPress (2/3)");
    await person.say("/cancel");
    expect(await person.stands()).not.toContain("ConnectWordPress");
  });

  it("says when the next site may be connected, once ten were in an hour", async () => {
    const { person, projectId } = await seoOwner(harness);
    for (let turn = 0; turn < 10; turn += 1)
      await harness.sql`
        select delivery.take_connection_turn(${harness.workspaceId}, 'seo', ${String(person.id)}, now())`;
    await upToPassword(person, projectId);
    expect(await answer(person, password)).toMatch(/Слишком много новых подключений \(10\/час\).*\d+ мин\./);
    expect(await person.stands()).toBe("ConnectWordPress.failed");
  });

  it("connects nothing to somebody else's project", async () => {
    const { projectId } = await seoOwner(harness);
    const { person } = await seoOwner(harness);
    await person.tap(`project:${projectId}:connect:wordpress`);
    expect(await person.stands()).not.toContain("ConnectWordPress");
  });

  it("speaks English to who speaks English", async () => {
    const { person, projectId } = await seoOwner(harness, { language: "en" });
    await begin(person, projectId);
    expect(await answer(person, "nobody.wordpress.test")).toContain("check the URL");
    expect(await answer(person, site)).toContain("WordPress (2/3) — Login");
    expect(await answer(person, "anna")).toContain("Application Passwords");
    expect(await answer(person, password)).toContain(`The site ${site} is connected!`);
    const { text } = await person.screen();
    expect(text).toContain("Status: active");
    expect(text).not.toMatch(/[а-яё]/i);
  });
});

const onePixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
