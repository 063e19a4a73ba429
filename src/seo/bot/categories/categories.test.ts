import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import writeExcelFile from "write-excel-file/universal";
import { type SeoBotHarness, type SeoPerson, startSeoBot } from "../../../../tests/support/seo-bot.ts";
import { readCategory } from "../../categories/categories.ts";
import { readMedia, readPrices } from "../../categories/lists.ts";
import { readPriceSheet } from "../../categories/price-sheet.ts";
import { aCategory, aCluster, aDraft, aProject } from "../../testing/builders.ts";

let harness: SeoBotHarness;
beforeAll(async () => {
  harness = await startSeoBot({ business: false });
});
afterAll(() => harness.close());

const whoseIs = ({ id }: SeoPerson) => ({ workspaceId: harness.workspaceId, userId: id });

async function somebody(language = "ru"): Promise<SeoPerson> {
  const person = await harness.person({ language });
  await person.say("/start");
  await person.screen();
  return person;
}

/** Somebody with a category. */
async function anOwner(language = "ru"): Promise<{ person: SeoPerson; id: number }> {
  const person = await somebody(language);
  return { person, id: await aCategory(harness.sql, whoseIs(person)) };
}

async function shown(person: SeoPerson, address: string): Promise<string> {
  await person.tap(address);
  return (await person.screen()).text;
}

/** The buttons of what is shown, once everything is. */
async function labelsOf(person: SeoPerson): Promise<string[]> {
  return (await person.screen()).buttons.flat().map(({ text }) => text);
}

async function answer(person: SeoPerson, words: string): Promise<string> {
  await person.say(words);
  return (await person.screen()).text;
}

async function send(person: SeoPerson, media: Record<string, unknown>, caption = ""): Promise<string> {
  await person.send(media, caption);
  return (await person.screen()).text;
}

const dataUrl = (type: string, bytes: Uint8Array) =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
const document = (name: string, bytes: Uint8Array) => ({
  file: { kind: "document", name, data: dataUrl("application/octet-stream", bytes) },
});

describe("categories", () => {
  // covers seo: F03
  it("begin with a name, and are listed by eight below their project", async () => {
    const person = await somebody();
    const project = await aProject(harness.sql, whoseIs(person), "Дубрава");
    const empty = await shown(person, `project:${project}:categories`);
    expect(empty).toContain("Категории — Дубрава (0):");
    expect(empty).toContain("Категория = тема контента (напр. «Кухонная мебель»).");
    await person.press("Создать категорию");
    expect(await person.stands()).toBe("CategoryCreate.name");
    for (const wrong of ["К", "Кухни <b>", "К".repeat(101)])
      expect(await answer(person, wrong), wrong).toContain("Введите название от 2 до 100 символов");
    const card = await answer(person, "Кухни");
    expect(card).toContain("Категория «Кухни» создана!");
    expect(card).toContain("Ключевые фразы: нет");
    for (let number = 2; number <= 9; number += 1)
      await aCategory(harness.sql, whoseIs(person), { projectId: project });
    expect(await shown(person, `project:${project}:categories:2`)).toContain("Категории — Дубрава (9):");
    expect(await labelsOf(person)).toEqual([
      ...["Кухни", "◀", "2/2", "Создать категорию", "К проекту", "Главное меню"],
    ]);
  });

  it("that are cancelled lead back to where they were begun", async () => {
    const person = await somebody();
    const project = await aProject(harness.sql, whoseIs(person));
    await person.tap(`project:${project}:categories`);
    await person.press("Создать категорию");
    await person.press("Отмена");
    expect(await person.stands()).toBe(`screen:project:${project}:categories`);
  });

  it("show what is filled in, the active schedule and what it costs a week", async () => {
    const person = await somebody();
    const whose = whoseIs(person);
    const project = await aProject(harness.sql, whose);
    const keywords = [aCluster("кухни на заказ"), aCluster("кухни в Казани")];
    const id = await aCategory(harness.sql, whose, { projectId: project, keywords });
    const [connection] = await harness.sql<[{ id: number }]>`
      insert into seo.platform_connections (workspace_id, project_id, platform_type, credentials, identifier)
      values (${harness.workspaceId}, ${project}, 'telegram', 'sealed', '@dubrava') returning id`;
    await harness.sql`
      insert into seo.platform_schedules (workspace_id, category_id, platform_type, connection_id, schedule_days, schedule_times, enabled)
      values (${harness.workspaceId}, ${id}, 'telegram', ${connection.id}, '{fri,mon,wed}', '{10:00}', true)`;
    const card = await shown(person, `category:${id}:card`);
    expect(card).toContain("Ключевые фразы: 2 кластера (2 фразы)");
    expect(card).toContain("Описание: нет");
    expect(card).toContain("Расписание: Telegram: @dubrava — Пн, Ср, Пт в 10:00");
    // Three posts of 10 tokens for the text and 30 for the picture.
    expect(card).toContain("Прогноз: ~120 токенов/нед");
    expect(await labelsOf(person)).toEqual([
      ...["Написать статью", "Ключевые фразы", "Описание", "Цены", "Медиа", "Настройки контента"],
      ...["Telegram: @dubrava", "Планировщик", "Переименовать", "Удалить категорию"],
      ...["К категориям", "Главное меню"],
    ]);
    await person.press("Telegram: @dubrava");
    expect(await person.stands()).toBe(`screen:category:${id}:connection:${connection.id}:menu`);
  });

  // covers seo: E42
  it("are renamed, and deleted in two steps with what they hold", async () => {
    const { person, id } = await anOwner();
    const whose = whoseIs(person);
    await person.tap(`category:${id}:card`);
    await person.press("Переименовать");
    expect(await answer(person, "К")).toContain("Введите название от 2 до 100 символов");
    expect(await answer(person, "Шкафы")).toContain("Теперь категория называется «Шкафы».");
    await aDraft(harness.sql, whose, id);
    await person.press("Удалить категорию");
    const question = (await person.screen()).text;
    expect(question).toContain("Удалить категорию «Шкафы»?");
    expect(question).toContain("1 черновик");
    expect(question).toContain("За черновики вернётся 320 токенов.");
    await person.press("Да, удалить");
    expect((await person.screen()).text).toContain("Удалено. Токены за черновики возвращены: +320 токенов.");
    expect(await person.stands()).toMatch(/^screen:project:\d+:categories$/);
    expect(await person.balance()).toBe(1500);
    expect(await shown(person, `category:${id}:card`)).toContain("Этого здесь больше нет");
  });

  it("that are deleted on another device end the question about them without a dead end", async () => {
    const { person, id } = await anOwner();
    const questions: [string, () => Promise<string>][] = [
      [`category:${id}:rename`, () => answer(person, "Шкафы")],
      [`category:${id}:description:manual`, () => answer(person, "Делаем шкафы на заказ")],
      [`category:${id}:prices:text`, () => answer(person, "Шкаф — 10 000 ₽")],
    ];
    const [{ project_id: project }] = await harness.sql<[{ project_id: number }]>`
      select project_id from seo.categories where workspace_id = ${harness.workspaceId} and id = ${id}`;
    for (const [address, reply] of questions) {
      await harness.sql`
        insert into seo.categories (workspace_id, id, project_id, name)
        values (${harness.workspaceId}, ${id}, ${project}, 'Шкафы') on conflict do nothing`;
      await person.tap(address);
      await person.screen();
      await harness.sql`delete from seo.categories where workspace_id = ${harness.workspaceId} and id = ${id}`;
      expect(await reply(), address).toContain("Этой категории или проекта больше нет");
      expect(await person.stands()).toBe("screen:dashboard");
    }
  });
});

describe("prices", () => {
  // covers seo: F24
  it("are typed line by line, and the line that cannot be read is named", async () => {
    const { person, id } = await anOwner();
    expect(await shown(person, `category:${id}:prices`)).toContain("Цен пока нет");
    await person.press("Добавить цены");
    expect(await person.stands()).toBe("PriceInput.choose_method");
    expect(await answer(person, "текстом")).toContain("нажмите одну из кнопок");
    await person.press("Текстом");
    expect(await person.stands()).toBe("PriceInput.text_input");
    expect(await answer(person, "Стол — 12 000 ₽\nСтул без цены")).toContain(
      "Не удалось распознать строку 2. Формат: Название — Цена",
    );
    for (const wrong of ["—", "прайс пришлю завтра"])
      expect(await answer(person, wrong)).toContain("Формат: Товар — Цена (каждый с новой строки)");
    const saved = await answer(person, "Стол — 12 000 ₽\n\nСтул — от 3 000 ₽ — дуб");
    expect(saved).toContain("Прайс сохранён: 2 товара.");
    expect(saved).toContain("Стул — от 3 000 ₽ — дуб");
    expect(await person.stands()).toBe(`screen:category:${id}:prices`);
  });

  // covers seo: F24
  it("come as an Excel file, and go as one that can be uploaded again", async () => {
    const { person, id } = await anOwner();
    await person.tap(`category:${id}:prices:add`);
    await person.press("Загрузить Excel");
    expect(await person.stands()).toBe("PriceInput.file_upload");
    const fault = "Загрузите Excel (.xlsx), макс. 1000 строк, 5 МБ";
    expect(await send(person, document("prices.csv", new TextEncoder().encode("Стол,1")))).toContain(fault);
    expect(await send(person, document("prices.xlsx", new TextEncoder().encode("Стол,1")))).toContain(fault);
    expect(await answer(person, "Стол — 1")).toContain(fault);
    const sheet = await aSheet([
      ["Стол <дубовый>", "12 000 ₽", "на заказ"],
      ["Стул", "3 000 ₽", ""],
    ]);
    expect(await send(person, document("Прайс.XLSX", sheet))).toContain("Прайс сохранён: 2 товара.");
    await person.press("Скачать Excel");
    await person.screen();
    const file = (await person.messages()).findLast(({ media }) => (media?.length ?? 0) > 0)?.media?.[0];
    expect(file).toMatchObject({ kind: "document", name: `Прайс-${id}.xlsx` });
    const answered = await fetch(new URL(file?.url ?? "", harness.running.twinsUrl));
    const bytes = new Uint8Array(await answered.arrayBuffer());
    expect(await readPriceSheet(bytes)).toEqual(await readPrices(harness.sql, whoseIs(person), id));
  });

  // covers seo: E09
  it("are at most a thousand, in a file of at most 5 MB", async () => {
    const { person, id } = await anOwner();
    await person.tap(`category:${id}:prices:file`);
    await person.screen();
    const many = Array.from({ length: 1_001 }, (_, index) => [`Товар ${index}`, "100 ₽", ""]);
    const sorry = "Максимум 1000 товаров. Сократите файл";
    expect(await send(person, document("a.xlsx", await aSheet(many)))).toContain(sorry);
    expect(await send(person, document("b.xlsx", new Uint8Array(5 * 1024 * 1024 + 1)))).toContain(sorry);
    expect(await send(person, document("c.xlsx", await aSheet(many.slice(1))))).toMatch(
      /Прайс сохранён: 1\s000 товаров\./,
    );
    expect((await person.screen()).text.length).toBeLessThan(4_096);
    expect(await labelsOf(person)).toContain("1/50");
  });

  it("are deleted after a question", async () => {
    const { person, id } = await anOwner();
    await person.tap(`category:${id}:prices:text`);
    await answer(person, "Стол — 12 000 ₽");
    await person.press("Удалить прайс");
    expect((await person.screen()).text).toContain("Удалить прайс категории «Кухни» (1 товар)?");
    await person.press("Отмена");
    await person.press("Удалить прайс");
    await person.press("Да, удалить");
    expect((await person.screen()).text).toContain("Прайс удалён.");
    expect(await readPrices(harness.sql, whoseIs(person), id)).toEqual([]);
  });
});

describe("media", () => {
  // covers seo: F23
  it("are sent one by one or together, shown and deleted", async () => {
    const { person, id } = await anOwner();
    expect(await shown(person, `category:${id}:media`)).toContain("Это необязательно.");
    await person.press("Добавить файлы");
    expect(await person.stands()).toBe("MediaUpload.file");
    const red = await aPicture("#aa2222");
    await person.send({ photo: dataUrl("image/png", red) }, "красная кухня");
    await person.send({ photo: dataUrl("image/png", await aPicture("#22aa22")) });
    await send(person, document("manual.pdf", new TextEncoder().encode("%PDF-1.4 …")));
    await person.sees("Получено: 3 файла.");
    await send(person, document("virus.exe", new TextEncoder().encode("MZ…")));
    await person.press("Сохранить (4)");
    const notice = (await person.screen()).text;
    expect(notice).toContain("Сохранено: 3 файла.");
    expect(notice).toContain("Пришлите фото (JPEG, PNG, WebP, GIF)");
    expect(notice).toContain("Медиа — Кухни (3 из 20)");
    await person.press("Фото: красная кухня");
    const photo = await person.screen();
    expect(photo.text).toContain("красная кухня");
    expect(photo.media).toMatchObject([{ kind: "photo" }]);
    await person.press("К медиа");
    await person.press("Документ: manual.pdf");
    await person.press("Прислать файл");
    await person.screen();
    const files = (await person.messages()).flatMap(({ author, media = [] }) => (author.bot ? media : []));
    expect(files).toContainEqual(expect.objectContaining({ kind: "document", name: "manual.pdf" }));
    await person.press("Удалить файл");
    expect((await person.screen()).text).toContain("Удалить файл «Документ: manual.pdf»?");
    await person.press("Да, удалить");
    expect((await person.screen()).text).toContain("Медиа — Кухни (2 из 20)");
    expect(await readMedia(harness.sql, whoseIs(person), id)).toHaveLength(2);
  });

  it("are at most twenty, and words are no file", async () => {
    const { person, id } = await anOwner();
    const known = Array.from({ length: 20 }, (_, index) => ({
      ...{ file_id: `file-${index}`, type: "photo", file_size: 10, uploaded_at: "2026-01-01T00:00:00Z" },
    }));
    await person.tap(`category:${id}:media:add`);
    expect(await answer(person, "вот файл")).toContain("нужен файл");
    await person.press("Отмена");
    expect(await person.stands()).not.toContain("MediaUpload");
    await harness.sql`
      update seo.categories set media = ${JSON.stringify(known)}::text::jsonb
      where workspace_id = ${harness.workspaceId} and id = ${id}`;
    expect(await shown(person, `category:${id}:media:3`)).toContain("Больше файлов не поместится");
    expect(await labelsOf(person)).toEqual(["Фото", "Фото", "Фото", "Фото", "◀", "3/3", "К категории"]);
  });
});

describe("somebody else's category", () => {
  it("looks like one that is not there, whatever is tapped", async () => {
    const { person: owner, id } = await anOwner();
    const stranger = await somebody();
    await harness.sql`
      update seo.categories set description = 'Секретное описание' where workspace_id = ${harness.workspaceId} and id = ${id}`;
    const before = await readCategory(harness.sql, whoseIs(owner), id);
    const tails = [
      ...["card", "rename", "delete", "delete:yes", "description", "description:generate"],
      ...["description:manual", "description:waiting", "description:delete", "description:delete:yes"],
      ...["prices", "prices:2", "prices:add", "prices:text", "prices:file", "prices:excel", "prices:delete"],
      ...["prices:delete:yes", "media", "media:2", "media:add", "file:0123456789abcdef"],
      ...["file:0123456789abcdef:send", "file:0123456789abcdef:delete", "file:0123456789abcdef:delete:yes"],
      ...[
        "reviews",
        "reviews:2",
        "reviews:generate",
        "reviews:waiting",
        "reviews:delete",
        "reviews:delete:yes",
      ],
    ];
    for (const tail of tails) {
      const text = await shown(stranger, `category:${id}:${tail}`);
      expect(text, tail).toContain("Этого здесь больше нет");
      expect(await stranger.stands()).not.toMatch(/^[A-Z]/);
    }
    expect(await readCategory(harness.sql, whoseIs(owner), id)).toEqual(before);
  });
});

describe("in English", () => {
  it("categories, prices and media are told of in the person's language", async () => {
    const { person, id } = await anOwner("en");
    expect(await shown(person, `category:${id}:card`)).toContain("Key phrases: none");
    await person.press("Prices");
    expect((await person.screen()).text).toContain("There are no prices yet.");
    await person.press("Add prices");
    await person.press("As text");
    expect(await answer(person, "Table — €10\nChair")).toContain("Line 2 cannot be read.");
    expect(await answer(person, "Table — €10")).toContain("The price list is saved: 1 product.");
    await person.press("To the category");
    await person.press("Media");
    expect((await person.screen()).text).toContain("There are no files yet.");
  });
});

function aPicture(background: string): Promise<Buffer> {
  return sharp({ create: { width: 320, height: 200, channels: 3, background } })
    .png()
    .toBuffer();
}

async function aSheet(rows: readonly (readonly string[])[]): Promise<Uint8Array> {
  const cells = rows.map((row) => row.map((value) => ({ value, type: String })));
  return new Uint8Array(await (await writeExcelFile(cells).toBlob()).arrayBuffer());
}
