import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { readField } from "../projects/field.ts";
import { projectFields } from "../projects/project-fields.ts";
import { inherited } from "../settings/inherit.ts";
import { aCluster } from "../testing/builders.ts";
import { type Cluster, clusterSchema, mergeClusters, removeFrom } from "./clusters.ts";
import { keywordsCsv, keywordsTxt } from "./keyword-export.ts";
import { arrange, keywordFileFault, readKeywordFile } from "./keyword-file.ts";
import { priceText, readPriceLines } from "./price-lines.ts";
import { priceSheetFault, readPriceSheet } from "./price-sheet.ts";

const cluster = (...given: Parameters<typeof aCluster>): Cluster => clusterSchema.parse(aCluster(...given));
const bytes = (text: string) => new TextEncoder().encode(text);
const said = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error instanceof Error && "said" in error ? error.said : error;
  }
  return undefined;
};

describe("fields of a project", () => {
  it.each([
    ["name", "К", "Введите название от 2 до 100 символов, без < > { } [ ] \\ |"],
    ["name", "Кухни {{x}}", "Введите название от 2 до 100 символов, без < > { } [ ] \\ |"],
    ["company_name", "Д".repeat(201), "Введите название от 2 до 200 символов"],
    ["specialization", "дуб", "Опишите подробнее (мин. 5 символов)"],
    ["website_url", "not a site", "Введите корректный URL или нажмите Пропустить"],
    ["website_url", "javascript:alert(1)", "Введите корректный URL или нажмите Пропустить"],
    ["website_url", "https://anna:secret@shop.example", "Введите корректный URL или нажмите Пропустить"],
    ["company_email", "anna@", "Некорректный формат для поля E-mail"],
    ["company_phone", "позвоните нам", "Некорректный формат для поля Телефон"],
    ["advantages", "х".repeat(501), "Некорректный формат для поля Преимущества"],
  ] as const)("%s refuses %s", (name, typed, ru) => {
    expect(readField(projectFields[name], typed)).toMatchObject({ ok: false, said: { ru } });
  });

  it.each([
    ["name", "  Кухни & шкафы №1  ", "Кухни & шкафы №1"],
    ["website_url", "shop.example/blog/", "https://shop.example/blog"],
    ["website_url", "пример.рф", "https://xn--e1afmkfd.xn--p1ai"],
    ["company_phone", "+7 (495) 123-45-67", "+7 (495) 123-45-67"],
    ["company_email", " anna@shop.example ", "anna@shop.example"],
  ] as const)("%s takes %s", (name, typed, value) => {
    expect(readField(projectFields[name], typed)).toEqual({ ok: true, value });
  });

  it("are fifteen", () => expect(Object.keys(projectFields)).toHaveLength(15));
});

describe("keywords", () => {
  it("merge without repeats, into clusters of the same name, with figures computed anew", () => {
    const known = [cluster("Кухня из дуба", 100)];
    const added = [
      cluster("кухня  ИЗ дуба", 900),
      cluster("шкаф", 50, {
        cluster_name: "КУХНЯ ИЗ ДУБА",
        phrases: [
          { phrase: "шкаф", volume: 50, difficulty: 40 },
          { phrase: "ещё шкаф" },
          { phrase: "еще шкаф" },
        ],
      }),
    ];
    expect(mergeClusters(known, added)).toMatchObject([
      {
        ...{ main_phrase: "Кухня из дуба", total_volume: 150, avg_difficulty: 30 },
        phrases: [{ phrase: "Кухня из дуба" }, { phrase: "шкаф" }, { phrase: "ещё шкаф" }],
      },
    ]);
  });

  it("lose clusters and phrases; an empty cluster vanishes, and a lost main phrase is replaced by the most searched", () => {
    const two = cluster("а", 1, {
      phrases: [
        { phrase: "а", volume: 1 },
        { phrase: "б", volume: 2 },
        { phrase: "в", volume: 9 },
      ],
    });
    const clusters = [two, cluster("г"), cluster("д")];
    expect(removeFrom(clusters, { mainPhrases: ["Г"], phrases: ["а", "д"] })).toMatchObject([
      { main_phrase: "в", total_volume: 11, phrases: [{ phrase: "б" }, { phrase: "в" }] },
    ]);
  });

  // covers seo: F44
  it("leave as CSV that no spreadsheet takes for formulas, and as plain text", () => {
    const clusters = [cluster('=HYPERLINK("http://x")', 5), cluster("+7 звонок", 1)];
    const csv = keywordsCsv(clusters);
    expect(csv).toContain(`"'=HYPERLINK(""http://x"")"`);
    expect(csv).toContain(`"'+7 звонок"`);
    expect(csv.split("\r\n")).toHaveLength(4);
    expect(keywordsTxt(clusters)).toBe('=HYPERLINK("http://x")\n+7 звонок\n');
  });

  it("come from a text file without empty lines and repeats; anything else is refused with what is taken", () => {
    expect(readKeywordFile(bytes("\uFEFFкухня\r\n\r\n Кухня \nшкаф\n"))).toEqual(["Кухня", "шкаф"]);
    const wrong = [
      bytes(""),
      bytes(Array.from({ length: 501 }, (_, n) => `фраза ${n}`).join("\n")),
      new Uint8Array(1024 * 1024 + 1).fill(97),
      Uint8Array.of(0xcf, 0xf0, 0xe8),
      zipSync({ "a.txt": bytes("x") }),
    ];
    for (const file of wrong) expect(said(() => readKeywordFile(file))).toEqual(keywordFileFault);
    expect(said(() => readKeywordFile(bytes(`ок\n${"д".repeat(101)}`)))).toMatchObject({
      ru: expect.stringContaining("Строка 2 длиннее 100 символов"),
    });
  });

  it("of a file are kept flat without figures, in one cluster without the model, in clusters with both", () => {
    const figures = [{ ...cluster("кухня", 9).phrases[0] }].flatMap((each) =>
      each.phrase ? [clusterSchema.shape.phrases.element.parse(each)] : [],
    );
    expect(arrange(["кухня"], "Кухни", {})).toMatchObject({
      isFlat: true,
      warning: { ru: "Данные без объёмов поиска" },
    });
    expect(arrange(["стол", "кухня"], "Кухни", { figures })).toMatchObject({
      isFlat: false,
      clusters: [{ cluster_name: "Кухни", main_phrase: "кухня", total_volume: 9, phrases: [{}, {}] }],
    });
    const clusters = [cluster("кухня")];
    expect(arrange(["кухня"], "Кухни", { figures, clusters })).toEqual({ isFlat: false, clusters });
  });
});

describe("a price list", () => {
  it("is read line by line, and every wrong line is named", () => {
    const prices = readPriceLines(
      "Стол — 12 000 ₽\n\nСтул - 3000 - дуб\nКухня под ключ — от 90 000 ₽ — замер — бесплатно",
    );
    expect(prices).toEqual([
      { name: "Стол", price: "12 000 ₽" },
      { name: "Стул", price: "3000", description: "дуб" },
      { name: "Кухня под ключ", price: "от 90 000 ₽", description: "замер — бесплатно" },
    ]);
    expect(readPriceLines(priceText(prices))).toHaveLength(3);
    expect(said(() => readPriceLines("Стол — 1\nСтул\nШкаф — 2\nКровать"))).toMatchObject({
      ru: "Не удалось распознать строку 2. Формат: Название — Цена (также строки: 4)",
    });
    expect(said(() => readPriceLines("  \n"))).toMatchObject({
      ru: "Формат: Товар — Цена (каждый с новой строки)",
    });
    // E09
    expect(said(() => readPriceLines("Стол — 1\n".repeat(1_001)))).toMatchObject({
      ru: "Максимум 1000 товаров. Сократите файл",
    });
  });

  const row = (n: number, ...cells: readonly (string | number)[]) =>
    `<row r="${n}">${cells
      .map((cell, index) => {
        const place = `${"ABCDE"[index]}${n}`;
        return typeof cell === "number"
          ? `<c r="${place}"><v>${cell}</v></c>`
          : `<c r="${place}" t="inlineStr"><is><t>${cell}</t></is></c>`;
      })
      .join("")}</row>`;
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const sheet = (rows: string, padding = "") =>
    zipSync({
      "[Content_Types].xml": strToU8(
        `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
      ),
      "xl/workbook.xml": strToU8(
        `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Прайс" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
      "xl/_rels/workbook.xml.rels": strToU8(
        `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      ),
      "xl/worksheets/sheet1.xml": strToU8(
        `<?xml version="1.0"?><worksheet xmlns="${main}"><sheetData>${rows}</sheetData>${padding}</worksheet>`,
      ),
    });

  // covers seo: F24
  it("comes from Excel, with or without headings", async () => {
    const file = sheet(
      row(1, "Название", "Цена", "Описание") + row(2, "Стол", 12_000.5, "дуб") + row(4, "Стул", "от 3000"),
    );
    expect(await readPriceSheet(file)).toEqual([
      { name: "Стол", price: "12000.5", description: "дуб" },
      { name: "Стул", price: "от 3000" },
    ]);
    await expect(readPriceSheet(sheet(row(1, "Стол", 5) + row(2, "Стул")))).rejects.toMatchObject({
      said: { ru: "Не удалось распознать строку 2. Формат: Название — Цена" },
    });
  });

  // covers seo: E09
  it("refuses too many rows, bombs, cells at the end of the world, and what is no Excel file", async () => {
    const refused = async (file: Uint8Array) => {
      const error: unknown = await readPriceSheet(file).catch((caught: unknown) => caught);
      return error instanceof Error && "said" in error ? error.said : error;
    };
    const many = Array.from({ length: 1_001 }, (_, n) => row(n + 1, `Стол ${n}`, 5)).join("");
    const tooMany = { ru: "Максимум 1000 товаров. Сократите файл" };
    expect(await refused(sheet(many))).toMatchObject(tooMany);
    expect(await refused(new Uint8Array(5 * 1024 * 1024 + 1))).toMatchObject(tooMany);
    expect(await refused(sheet(row(1, "Стол", 5) + row(1_048_576, "Стул", 5)))).toMatchObject(tooMany);
    expect(await refused(sheet('<row r="1e9"><c r="XFD1"><v>1</v></c></row>'))).toMatchObject(tooMany);
    const bomb = sheet(row(1, "Стол", 5), `<!--${" ".repeat(45 * 1024 * 1024)}-->`);
    expect(bomb.length).toBeLessThan(100_000);
    for (const file of [
      bomb,
      lying(bomb),
      bytes("PK\u0003\u0004"),
      bytes("Стол — 5"),
      zipSync({ "a.xml": bytes("<a/>") }),
    ])
      expect(await refused(file)).toEqual(priceSheetFault);
  });

  /** The same archive, whose directory claims that its parts are small. */
  function lying(file: Uint8Array): Uint8Array {
    const copy = Buffer.from(file);
    for (
      let at = copy.indexOf("PK\u0001\u0002", 0, "latin1");
      at >= 0;
      at = copy.indexOf("PK\u0001\u0002", at + 4, "latin1")
    )
      copy.writeUInt32LE(10, at + 24);
    return copy;
  }
});

describe("content settings", () => {
  const nothing = { image: {}, text: {} };
  const none = { image: null, text: null };
  it("are the document's defaults, four pictures for a site, and a talking style for networks", () => {
    expect(inherited({ category: nothing, platform: none })).toMatchObject({
      image: { formats: ["1:1"], styles: ["Фотореализм"], quality: "HD", count: 1 },
      text: { style: "Информативный", html_style: "Блог", words_min: 1_500, words_max: 2_500 },
    });
    expect(inherited({ category: nothing, platform: none }, "wordpress").image.count).toBe(4);
    expect(inherited({ category: nothing, platform: none }, "vk").text).toMatchObject({
      ...{ style: "Разговорный", words_min: 100, words_max: 300 },
    });
  });

  // covers seo: F41
  it("of a platform replace those of the category, pictures and text apart", () => {
    const category = {
      image: { count: 2 },
      text: { style: "С юмором" as const, words_min: 2_000, words_max: 3_000 },
    };
    expect(inherited({ category, platform: { image: { count: 7 }, text: null } }, "telegram")).toMatchObject({
      ...{ image: { count: 7 }, image_from: "platform", text_from: "category" },
      // The length of articles is not the length of posts.
      text: { style: "С юмором", words_min: 100, words_max: 300 },
    });
    expect(inherited({ category, platform: none }, "wordpress")).toMatchObject({
      ...{ image: { count: 2 }, text: { words_min: 2_000, words_max: 3_000 } },
    });
  });
});
