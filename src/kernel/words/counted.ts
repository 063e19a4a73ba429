type Language = "ru" | "en";

/** A noun by the plural categories of `Intl.PluralRules`; English has `one` and `other`, Russian all four. */
export interface Forms {
  readonly one: string;
  readonly few?: string;
  readonly many?: string;
  readonly other: string;
}

const rules = { ru: new Intl.PluralRules("ru"), en: new Intl.PluralRules("en") } as const;
const numbers = { ru: new Intl.NumberFormat("ru"), en: new Intl.NumberFormat("en") } as const;

/** `4 чата`, `5 чатов`, `1 task`: the number with its noun in the right form. */
export function counted(count: number, forms: Forms, language: Language): string {
  const category = rules[language].select(count);
  const noun = (category === "few" ? forms.few : category === "many" ? forms.many : undefined) ?? forms.other;
  return `${numbers[language].format(count)} ${category === "one" ? forms.one : noun}`;
}
