import { describe, expect, test } from "vitest";
import { sentenceSpans, stem } from "../language/index.ts";
import { applyVerdicts, type Claim, checkableIn, checkClaims, rewriteRequests } from "./index.ts";
import { quantitiesIn } from "./quantities.ts";
import { company, planted, sources } from "./testing/corpus.ts";

const supportive = async () => "supported" as const;

/** One paragraph per sentence, each with its claim. */
async function ledgerOf(claims: readonly Claim[]) {
  const markdown = claims.map(({ sentence }) => sentence).join("\n\n");
  const { verdicts } = await checkClaims({ markdown, claims, sources, company, judge: supportive });
  return new Map(verdicts.map((verdict) => [verdict.sentence, verdict]));
}

const report = {
  id: "report",
  title: "Отчёт «Окна»",
  text: "Профиль служит 40 лет. Цена не выросла: 15 000 рублей за м². Плёнку снимать не рекомендуют сразу.",
};
/** The verdict of a single sentence that rests on a quote of the report. */
async function verdictOf(
  sentence: string,
  quote: string,
  more: Partial<Parameters<typeof checkClaims>[0]> = {},
) {
  const claims = [{ sentence, sourceId: "report", quote }];
  const { verdicts } = await checkClaims({ markdown: sentence, claims, sources: [report], ...more });
  return verdicts[0];
}

describe("the claim ledger", () => {
  test("catches altered claims while the judge says supported throughout, and lets clean ones pass", async () => {
    const altered = planted.map(({ altered: sentence, kind, sourceId, quote }) => ({
      sentence,
      quote,
      sourceId: kind === "source" ? `${sourceId}-gone` : sourceId,
    }));
    const clean = planted.map(({ clean: sentence, sourceId, quote }) => ({ sentence, sourceId, quote }));
    const found = await ledgerOf(altered);
    const passed = await ledgerOf(clean);
    const missed = altered.filter(({ sentence }) => found.get(sentence)?.outcome !== "failed");
    const alarms = clean.filter(({ sentence }) => passed.get(sentence)?.outcome !== "supported");
    const caught = altered.length - missed.length;
    const figures = [
      `caught ${caught} of ${altered.length} altered claims, ${alarms.length} false alarms on ${clean.length} clean ones`,
      ...missed.map(({ sentence }) => `missed: ${sentence}`),
      ...alarms.map(({ sentence }) => `false alarm (${passed.get(sentence)?.reason}): ${sentence}`),
    ].join("\n");
    expect(planted.length, figures).toBeGreaterThanOrEqual(60);
    expect(caught, figures).toBeGreaterThanOrEqual(Math.max(57, Math.ceil(altered.length * 0.95)));
    expect(alarms.length, figures).toBeLessThanOrEqual(Math.floor(clean.length * 0.05));
  });

  test.each([
    [
      "is found word for word, whatever its spaces, quotation marks and dashes",
      "Профиль служит 40 лет.",
      "профиль\u00A0служит  40 лет",
      undefined,
    ],
    ["is refused in other words", "Профиль служит 40 лет.", "Профиль прослужит 40 лет", "quote_not_found"],
    ["is refused when it is too short to be one", "Профиль служит 40 лет.", "40 лет", "quote_not_found"],
    [
      "is refused when it begins inside a number",
      "Цена 5 000 рублей за м².",
      "5 000 рублей за м²",
      "quote_not_found",
    ],
    [
      "is refused when it ends inside a number",
      "Цена не выросла: 15 рублей.",
      "Цена не выросла: 15",
      "quote_not_found",
    ],
    [
      "keeps the negation before it",
      "Отчёт «Окна»: плёнку рекомендуют снимать сразу.",
      "рекомендуют сразу",
      "negation",
    ],
    [
      "may leave out its middle",
      "Цена не выросла, 15 000 ₽ за м².",
      "Цена не выросла … 15 000 рублей за м²",
      undefined,
    ],
  ])("has a quote that %s", async (_, sentence, quote, reason) => {
    expect((await verdictOf(sentence, quote))?.reason).toBe(reason);
  });

  test("fails research that no source stands behind, however it is claimed", async () => {
    const sentence = "Исследования показывают, что тишина полезна.";
    const claims = [{ sentence, sourceId: "company", quote: "Окно под ключ — 12 000 ₽" }];
    for (const given of [
      { claims: [], sources: [] },
      { claims, sources: [] },
      { claims, sources },
    ]) {
      const { verdicts } = await checkClaims({ markdown: sentence, company, judge: supportive, ...given });
      expect(verdicts).toMatchObject([{ outcome: "failed", action: "cut", reason: "no_research" }]);
    }
  });

  test("asks the judge only about what the code let pass; the judge can add failures and forgive none", async () => {
    const asked: string[] = [];
    const judge = async (sentence: string) => {
      asked.push(sentence);
      return "contradicted" as const;
    };
    const quote = "Профиль служит 40 лет";
    expect(await verdictOf("Профиль служит 50 лет.", quote, { judge })).toMatchObject({
      reason: "number",
      action: "rewrite",
    });
    expect(asked).toEqual([]);
    expect(await verdictOf("Профиль служит 40 лет.", quote, { judge })).toMatchObject({
      reason: "judge",
      action: "cut",
    });
    const unclear = async () => "unclear" as const;
    const verdict = await verdictOf("Профиль служит 40 лет.", quote, { judge: unclear });
    expect(verdict).toMatchObject({ outcome: "failed", action: "rewrite", judged: "unclear" });
    expect(rewriteRequests(verdict ? [verdict] : [])).toEqual([
      {
        sentence: "Профиль служит 40 лет.",
        quotes: [quote],
        why: "цитата не подтверждает предложение: unclear",
      },
    ]);
    const down = () => Promise.reject(new Error("503"));
    expect(await verdictOf("Профиль служит 40 лет.", quote, { judge: down })).toMatchObject({
      outcome: "supported",
      judged: "unavailable",
    });
  });

  test("takes a sentence as checkable by a number, a date, a name or a reference, and no other", () => {
    const kinds = (sentence: string) => checkableIn(sentence, "Окна Плюс, Казань", stem)?.kinds ?? [];
    expect(kinds("Профиль служит 40 лет.")).toEqual(["number"]);
    expect(kinds("Завод открыли в марте 2020 года.")).toEqual(["date"]);
    expect(kinds("Профиль делает компания Рассвет.")).toEqual(["name"]);
    expect(kinds("По данным отчёта, тишина полезна.")).toEqual(["attribution"]);
    for (const sentence of [
      ...[
        "Окна Плюс работает в Казани.",
        "Разберём 5 способов выбрать окно.",
        "Сколько стоит окно 120 × 140?",
      ],
      ...["Хорошее окно держит тепло.", "Выбирайте то, что удобно Вам."],
    ])
      expect(kinds(sentence), sentence).toEqual([]);
  });

  test("reads sentences past abbreviations, initials and decimal numbers", () => {
    const text =
      "Завод в г. Казани с 2010 г. выпускает окна. Цена 2.5 тыс. руб. Срок — 5 дней! Книга А. С. Пушкина, т. е. классика… Конец";
    expect(sentenceSpans(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      ...["Завод в г. Казани с 2010 г. выпускает окна.", "Цена 2.5 тыс. руб.", "Срок — 5 дней!"],
      ...["Книга А. С. Пушкина, т. е. классика…", "Конец"],
    ]);
  });

  test("takes a half for a number where it is a share or a time, not where it is a part or a saying", () => {
    const read = (text: string) =>
      quantitiesIn(text).flatMap((each) =>
        each.kind === "number" ? [`${each.value * (each.unit?.factor ?? 1)} ${each.unit?.measures}`] : [],
      );
    expect(read("Половина покупателей берёт ламинат")).toEqual(["50 percent"]);
    expect(read("Цены снизились на треть, а спрос вырос вдвое")).toEqual([`${100 / 3} percent`, "2 times"]);
    expect(read("Замер занимает четверть часа")).toEqual(["900 second"]);
    expect(read("Гарантия — половина года")).toEqual(["6 month"]);
    for (const plain of [
      ...["Звоните во второй половине дня.", "Мерку снимают в первой половине смены."],
      ...["Хороший замер — половина дела.", "Снимите обе половины дверцы.", "Сдвиньте левую половину шкафа."],
    ])
      expect(read(plain), plain).toEqual([]);
  });

  test("reads numbers with scales, units and bounds, in digits and in words", () => {
    const read = (text: string) =>
      quantitiesIn(text).map((each) =>
        each.kind === "number"
          ? [each.value * (each.unit?.factor ?? 1), each.unit?.measures, each.bound]
          : each.kind === "date"
            ? [each.year, each.month, each.day]
            : each.value,
      );
    expect(read("от 1,5 млн рублей до 25 %")).toEqual([
      [1_500_000, "rub", "least"],
      [25, "percent", "most"],
    ]);
    expect(read("5–7 дней, двадцать пять кг и 12 кв. м")).toEqual([
      ...[
        [432_000, "second", undefined],
        [604_800, "second", undefined],
        [25_000, "gram", undefined],
        [12, "area", undefined],
      ],
    ]);
    expect(read("12 марта 2024 года, 05.06.2023, в 2019 году, не менее двух лет")).toEqual([
      ...[
        [2024, 3, 12],
        [2023, 6, 5],
        [2019, undefined, undefined],
        [24, "month", "least"],
      ],
    ]);
    expect(read("с 9:00, +7 (843) 200-10-10, пятилетняя гарантия, половина")).toEqual([
      ...["9:00", "8432001010", [60, "month", undefined], [50, "percent", undefined]],
    ]);
  });
});

describe("removing what failed", () => {
  const bad = "Плохо 77 раз.";
  const cleaned = async (markdown: string) =>
    applyVerdicts(markdown, (await checkClaims({ markdown, claims: [], sources: [] })).verdicts);

  test.each([
    ["a sentence of a paragraph", `Раз. ${bad} Ещё.`, "Раз. Ещё."],
    ["the last sentence", `Раз. ${bad}\n\nЕщё.`, "Раз.\n\nЕщё."],
    ["a paragraph that becomes empty", `Раз.\n\n${bad}\n\nЕщё.`, "Раз.\n\nЕщё."],
    ["markup that becomes empty", `Раз. **${bad}** Ещё. _${bad}_ ${bad}`, "Раз. Ещё."],
    ["a sentence across markup", "Раз. Плохо **77** раз [там](https://a.test). Ещё.", "Раз. Ещё."],
    ["a sentence across lines", "> Раз. Плохо\n> 77 раз. Ещё.", "> Раз. Ещё."],
    ["a sentence with escapes", "Раз. Плохо \\* 77 &amp; раз. Ещё.", "Раз. Ещё."],
    ["an item", `- Раз\n- ${bad}\n- Ещё`, "- Раз\n- Ещё"],
    ["the first item, whose number passes on", `1. ${bad}\n2. Раз\n3. Ещё`, "1. Раз\n3. Ещё"],
    ["a list with the line that announces it", `Раз.\n\nИтак:\n\n- ${bad}\n- ${bad}\n\nЕщё.`, "Раз.\n\nЕщё."],
    ["a quote", `Раз.\n\n> ${bad}\n\nЕщё.`, "Раз.\n\nЕщё."],
    [
      "a row of a table",
      "| а | б |\n|---|---|\n| в | г |\n| плохо | 77 ₽ |\n",
      "| а | б |\n|---|---|\n| в | г |\n",
    ],
    [
      "a section that becomes empty",
      `## А\n\nРаз.\n\n## Б\n\n### В\n\n${bad}\n\n## Г\n\nЕщё.`,
      "## А\n\nРаз.\n\n## Г\n\nЕщё.",
    ],
    ["nothing where nothing failed", "## А\n\n##  Б\n\nРаз.", "## А\n\n##  Б\n\nРаз."],
  ])("takes away %s", async (_, markdown, expected) => {
    expect(await cleaned(markdown)).toBe(expected);
  });
});
