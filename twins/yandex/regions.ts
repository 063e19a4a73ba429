export interface Region {
  readonly id: string;
  readonly label: string;
  readonly children?: readonly Region[];
  /** Of all searches of Russia, for counts by region. */
  readonly share?: number;
}

/** A small part of Wordstat's tree, with the ids that Yandex uses. */
export const regionTree: readonly Region[] = [
  {
    id: "225",
    label: "Россия",
    share: 1,
    children: [
      {
        id: "1",
        label: "Москва и Московская область",
        share: 0.29,
        children: [{ id: "213", label: "Москва", share: 0.22 }],
      },
      {
        id: "10174",
        label: "Санкт-Петербург и Ленинградская область",
        share: 0.11,
        children: [{ id: "2", label: "Санкт-Петербург", share: 0.09 }],
      },
      region("11119", "Республика Татарстан", 0.03, ["43", "Казань", 0.017]),
      region("11162", "Свердловская область", 0.035, ["54", "Екатеринбург", 0.02]),
      region("11316", "Новосибирская область", 0.022, ["65", "Новосибирск", 0.015]),
      region("11079", "Нижегородская область", 0.021, ["47", "Нижний Новгород", 0.013]),
      region("11131", "Самарская область", 0.022, ["51", "Самара", 0.012]),
      region("10995", "Краснодарский край", 0.045, ["35", "Краснодар", 0.018]),
      region("11029", "Ростовская область", 0.028, ["39", "Ростов-на-Дону", 0.014]),
      region("11111", "Республика Башкортостан", 0.024, ["172", "Уфа", 0.011]),
    ],
  },
  { id: "149", label: "Беларусь", share: 0.03, children: [{ id: "157", label: "Минск", share: 0.015 }] },
  { id: "159", label: "Казахстан", share: 0.04, children: [{ id: "162", label: "Алматы", share: 0.014 }] },
];

export function allRegions(regions = regionTree): readonly Region[] {
  return regions.flatMap((each) => [each, ...allRegions(each.children ?? [])]);
}

function region(id: string, label: string, share: number, city: readonly [string, string, number]): Region {
  return { id, label, share, children: [{ id: city[0], label: city[1], share: city[2] }] };
}
