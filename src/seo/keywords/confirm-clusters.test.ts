import { describe, expect, it } from "vitest";
import { type Cluster, mergeClusters, type Phrase } from "../categories/clusters.ts";
import type { Region } from "../sources/yandex/client.ts";
import { clusterOf } from "./clusters-from.ts";
import { addressKey, confirmClusters } from "./confirm-clusters.ts";
import { findRegion } from "./find-region.ts";
import { searchOrder } from "./read-tops.ts";

const phrase = (text: string, volume: number | null, more: Partial<Phrase> = {}): Phrase => ({
  ...{ phrase: text, volume, difficulty: null, cpc: null, intent: null, ai_suggested: false },
  ...more,
});
/** A top ten of which the first `common` addresses are of the page, the others of the phrase alone. */
const top = (page: string, own: string, common: number) =>
  new Set(Array.from({ length: 10 }, (_, at) => (at < common ? `${page}.ru/${at}` : `${own}.ru/${at}`)));
const shown = (clusters: readonly Cluster[]) =>
  clusters.map(({ cluster_name, cluster_type, main_phrase, phrases }) => [
    ...[cluster_name, cluster_type, main_phrase],
    phrases.map((each) => each.phrase).join(", "),
  ]);

describe("clusters compared with real results", () => {
  it("lose phrases that share fewer than four of ten addresses, which join another cluster or begin one", () => {
    const clusters = [
      clusterOf("Кухни", "product_page", [
        phrase("кухня на заказ", 900),
        phrase("кухня под заказ", 500),
        phrase("кухня своими руками", 300, { intent: "informational" }),
        phrase("кухня руками фото", 200),
        phrase("фасады для кухни", 100),
      ]),
      clusterOf("Фасады", "product_page", [phrase("кухонные фасады", 400)]),
    ];
    const tops = new Map([
      ["кухня на заказ", top("order", "a", 10)],
      ["кухня под заказ", top("order", "b", 4)],
      ["кухня своими руками", top("diy", "c", 10)],
      ["кухня руками фото", top("diy", "d", 6)],
      ["фасады для кухни", top("front", "e", 5)],
      ["кухонные фасады", top("front", "f", 10)],
    ]);
    const { clusters: confirmed, ...counts } = confirmClusters(clusters, tops);
    expect(shown(confirmed)).toEqual([
      ["Кухни", "product_page", "кухня на заказ", "кухня на заказ, кухня под заказ"],
      ["Фасады", "product_page", "кухонные фасады", "фасады для кухни, кухонные фасады"],
      ["кухня своими руками", "article", "кухня своими руками", "кухня своими руками, кухня руками фото"],
    ]);
    expect(counts).toEqual({ moved: 3, merged: 0 });
  });

  it("become one if their main phrases share results; the larger of both volumes says which is the main one", () => {
    const clusters = [
      clusterOf("Замер", "article", [phrase("замер кухни", 100), phrase("как замерить", 10)]),
      clusterOf("Обмер", "article", [
        phrase("обмер кухни", 50, { yandex_volume: 700 }),
        phrase("обмер", null),
      ]),
    ];
    const tops = new Map([
      ["замер кухни", top("measure", "a", 10)],
      ["обмер кухни", top("measure", "b", 7)],
    ]);
    const { clusters: confirmed, ...counts } = confirmClusters(clusters, tops);
    expect(shown(confirmed)).toEqual([
      ["Обмер", "article", "обмер кухни", "замер кухни, как замерить, обмер кухни, обмер"],
    ]);
    expect(confirmed[0]).toMatchObject({ total_volume: 160, total_yandex_volume: 700 });
    expect(counts).toEqual({ moved: 0, merged: 1 });
  });

  it("stay as they are where nothing was searched for, and lose no phrase", () => {
    const clusters = [
      clusterOf("Кухни", "article", [phrase("кухня", 9), phrase("кухни", 5)]),
      clusterOf("Столы", "article", [phrase("стол", 9), phrase("столы", 5)]),
    ];
    expect(confirmClusters(clusters, new Map()).clusters).toEqual(clusters);
    // Without its main phrase a cluster is not taken apart.
    const tops = new Map([["столы", top("table", "a", 10)]]);
    expect(confirmClusters(clusters, tops).clusters).toEqual(clusters);
    expect(searchOrder(clusters)).toEqual(["кухня", "стол", "кухни", "столы"]);
  });

  it.each([
    ["https://www.dom.ru/kuhni/?utm_source=ya&page=2#top", "dom.ru/kuhni?page=2"],
    ["http://m.dom.ru/kuhni", "dom.ru/kuhni"],
    ["не адрес", undefined],
  ])("compare %s as %s", (url, key) => expect(addressKey(url)).toBe(key));
});

describe("phrases that a category has already", () => {
  it("learn figures they did not have when they are found again, and are not added twice", () => {
    const known = [clusterOf("Кухни", "article", [phrase("кухня", 9), phrase("Стол", null)])];
    const found = [
      clusterOf("Иное", "article", [
        phrase("кухня", 7, { yandex_volume: 40, yandex_region: "Казань" }),
        phrase("стол", 5, { volume_country: "Украина" }),
      ]),
    ];
    expect(mergeClusters(known, found)).toEqual([
      {
        ...known[0],
        ...{ total_volume: 14, total_yandex_volume: 40 },
        phrases: [
          phrase("кухня", 9, { yandex_volume: 40, yandex_region: "Казань" }),
          phrase("Стол", 5, { volume_country: "Украина" }),
        ],
      },
    ]);
    expect(mergeClusters(known, known)).toEqual(known);
  });
});

describe("the region of a business", () => {
  const region = (id: string, name: string, children: Region[] = []): Region => ({ id, name, children });
  const tree = [
    region("225", "Россия", [
      region("1", "Москва и Московская область", [region("213", "Москва")]),
      region("11119", "Республика Татарстан", [region("43", "Казань")]),
      region("11029", "Ростовская область", [region("39", "Ростов-на-Дону")]),
      region("11079", "Нижегородская область", [region("47", "Нижний Новгород")]),
    ]),
  ];
  it.each([
    ["Казань", "Казань"],
    ["г. Казань и Москва", "Казань, Москва"],
    ["в Казани", "Казань"],
    ["Ростов-на-Дону", "Ростов-на-Дону"],
    ["ростов на дону", "Ростов-на-Дону"],
    ["Татарстан", "Республика Татарстан"],
    ["Московская область", "Москва и Московская область"],
    ["Москва и Московская область", "Москва и Московская область"],
    ["Новгород", "Россия"],
    ["вся Россия", "Россия"],
    ["", "Россия"],
  ])("«%s» is %s", (places, name) => expect(findRegion(tree, places).name).toBe(name));

  it("names the places that Yandex does not know", () =>
    expect(findRegion(tree, "Казань, Тридевятое царство")).toEqual({
      ...{ ids: ["43"], name: "Казань", unknown: ["Тридевятое царство"] },
    }));
});
