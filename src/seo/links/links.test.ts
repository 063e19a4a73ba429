import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderArticle } from "../render/index.ts";
import { chooseLinks, findServingPage, indexSite, insertLinks, stem } from "./index.ts";

const site = "https://okna.test";
const map = [
  { url: `${site}/`, title: "Окна в Казани — Окна Плюс" },
  {
    url: `${site}/osteklenie-balkonov/`,
    title: "Остекление балконов и лоджий — Окна Плюс",
    description: "Тёплое и холодное остекление",
  },
  { url: `${site}/moskitnye-setki/`, title: "Москитные сетки на окна — Окна Плюс" },
  {
    url: `${site}/remont-okon/`,
    title: "Ремонт пластиковых окон — Окна Плюс",
    description: "Замена уплотнителя и фурнитуры",
  },
  { url: `${site}/podokonniki/` },
  { url: `${site}/price.pdf`, title: "Москитные сетки на окна: прайс" },
  { url: "https://other.test/setki", title: "Москитные сетки на окна" },
  { url: "javascript:alert(1)", title: "Москитные сетки на окна" },
  { url: `${site}/dostavka/`, title: "Доставка и оплата" },
];
const index = indexSite(map, { site });

const article = `Вступление об уюте в доме.

## Ремонт пластиковых окон

Когда дует из створки, поможет ремонт пластикового окна: мастер меняет \`ремонт пластиковых окон\` уплотнитель.

## Москитная сетка

Летом нужна **москитная сетка на окно**, а ещё [москитная сетка](https://elsewhere.test/).

- Остекление балкона и лоджии сохраняет тепло.

## Подоконники

Широкие подоконники удобны. ![москитные сетки на окна](x.png)
`;

describe("internal links", () => {
  test("lead from a section's own words to the page that is about them", () => {
    const links = chooseLinks(article, index, { most: 10 });
    expect(links.map(({ anchor, url }) => [anchor, url])).toEqual([
      ["ремонт пластикового окна", `${site}/remont-okon/`],
      ["москитная сетка на окно", `${site}/moskitnye-setki/`],
      ["Остекление балкона и лоджии", `${site}/osteklenie-balkonov/`],
      ["подоконники", `${site}/podokonniki/`],
    ]);
    const linked = insertLinks(article, links);
    expect(linked).toContain(`**[москитная сетка на окно](${site}/moskitnye-setki/)**`);
    expect(linked).toContain("`ремонт пластиковых окон` уплотнитель");
    expect(linked).toContain("## Ремонт пластиковых окон\n");
    expect(linked.replace(/\[([^\]]+)\]\(https:\/\/okna\.test[^)]*\)/g, "$1")).toBe(article);
  });

  test("are as many as asked for, and never lead to the article itself or to a page twice", () => {
    expect(chooseLinks(article, index, { most: 2 })).toHaveLength(2);
    expect(chooseLinks(article, index, { most: 0 })).toEqual([]);
    const self = "http://www.okna.test/remont-okon#top";
    const urls = (markdown: string) => chooseLinks(markdown, index, { most: 10, self }).map(({ url }) => url);
    expect(urls(article)).not.toContain(`${site}/remont-okon/`);
    expect(urls(`${article}\n\n[уже](${site}/moskitnye-setki)`)).not.toContain(`${site}/moskitnye-setki/`);
    const twice = urls(`${article}\n\n## Ещё\n\nОстекление балконов и лоджий.\n`);
    expect(new Set(twice).size).toBe(twice.length);
  });

  test("take the lemmas of a dictionary where it is given", () => {
    const lemmas = (word: string) => (/^(?:людей|люди|человек)/.test(word) ? "человек" : stem(word));
    const people = indexSite([{ url: `${site}/people`, title: "Люди" }], { site, lemmas });
    expect(chooseLinks("Здесь много людей.", people, { most: 1 })[0]?.anchor).toBe("людей");
  });

  test("stand beside no stars that would mean something else before a bracket", () => {
    expect(chooseLinks("**\\***ремонт пластиковых окон", index, { most: 5 })).toEqual([]);
  });

  test("change nothing but the anchor, in any text", () => {
    const pieces = [
      "ремонт пластиковых окон",
      "москитные сетки на окна",
      "**",
      "`",
      "[",
      "](",
      ")",
      "\n\n",
      "\n> ",
      "\n- ",
      "## ",
      "\\*",
      "&amp;",
      "|",
      " ",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 25 }), (parts) => {
        const markdown = parts.join("");
        const links = chooseLinks(markdown, index, { most: 5 });
        const linked = insertLinks(markdown, links);
        const plain = (source: string) =>
          renderArticle({ markdown: source, title: "т", mainPhrase: "ф", isLinkAllowed: () => false }).page;
        expect(plain(linked)).toBe(plain(markdown));
        for (const { source, anchor } of links) expect(markdown.slice(source.start, source.end)).toBe(anchor);
      }),
      { numRuns: 60 },
    );
  });
});

describe("the site guard", () => {
  const subjects = [
    ...[
      "ремонт стиральных машин",
      "выбор матраса",
      "укладка ламината",
      "утепление балкона",
      "замена смесителя",
    ],
    ...["покраска стен", "установка дверей", "чистка дивана", "монтаж кондиционера", "прочистка труб"],
  ];
  const forty = subjects.flatMap((subject, number) => [
    { url: `${site}/a${number}`, title: `Как правильно начать: ${subject}`, phrase: subject },
    { url: `${site}/b${number}`, title: `${subject}: ошибки новичков`, phrase: `${subject} ошибки` },
    { url: `${site}/c${number}`, title: `Сколько стоит ${subject}`, phrase: `${subject} стоимость работы` },
    {
      url: `${site}/d${number}`,
      title: `Инструменты для работы: ${subject}`,
      phrase: `инструменты ${subject}`,
    },
  ]);
  const guard = (
    phrase: string,
    posts: readonly { title: string; phrase?: string; url?: string }[] = forty,
  ) => findServingPage(phrase, map, posts, { site });

  test("finds the post that was written for the phrase, in any of its forms", () => {
    for (const [number, subject] of subjects.entries())
      expect(guard(`${subject} ошибки`)).toMatchObject({
        url: `${site}/b${number}`,
        reason: "same_phrase",
        isOwnPost: true,
      });
    expect(guard("купить матрас выбор")).toMatchObject({ url: `${site}/a1`, reason: "same_phrase" });
    expect(guard("ремонта стиральной машины")).toMatchObject({ url: `${site}/a0`, score: 1 });
  });

  test("finds a page of the map by its title, or by title and description together", () => {
    expect(guard("ремонт пластиковых окон цена", [])).toMatchObject({
      url: `${site}/remont-okon/`,
      reason: "title",
    });
    expect(guard("остекление балконов и лоджий тёплое", [])).toMatchObject({
      url: `${site}/osteklenie-balkonov/`,
    });
    expect(guard("подоконники", [])).toMatchObject({ url: `${site}/podokonniki/`, reason: "title" });
  });

  test("lets a new subject pass", () => {
    for (const phrase of [
      "как выбрать пылесос",
      "ремонт телефонов",
      "тёплый пол в ванной",
      "матрасы для детей ортопедические",
      "в и на",
    ])
      expect(guard(phrase)).toBeUndefined();
  });
});
