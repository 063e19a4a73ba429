import { describe, expect, it } from "vitest";
import { alarmIn, type Emergency, emergencyIn, emergencyKinds } from "./emergency-signs.ts";
import { firstAidFor } from "./first-aid.ts";

describe("words that need a vet now", () => {
  it.each([
    "Щенок подавился и хрипит",
    "Кот не может дышать",
    "Дышит с трудом, язык высунут",
    "У собаки идёт кровь из пасти",
    "Из раны кровь течёт второй час",
    "Пена изо рта и трясётся",
    "Собака проглотила батарейку",
    "Кошка проглотила иголку с ниткой",
    "Пса укусила змея",
    "Кот упал с 7 этажа",
    "Сломал лапу, торчит кость",
    "Щенок застрял, роды идут третий час",
    "Потеряла сознание на прогулке",
    "Кровавый понос с утра",
    "My dog is choking",
    "The cat swallowed a needle",
    "Кот умирает, помогите",
    "Собака лежит и не реагирует",
    "my dog does not breathe",
    "She isn’t breathing properly",
    "He had swallowed my sock",
    "Our puppy ate a bar of chocolate",
    "The cat fell off the third floor",
    "He can’t get up",
    "My cat is straining to pee",
    "There is blood in his urine",
  ])("%s", (text) => expect(alarmIn(text)).toBe("high"));
});

describe("words to watch", () => {
  it.each([
    "Кота рвёт с утра",
    "Собака хромает",
    "Нашла клеща на холке",
    "Не ест второй день",
    "He has a fever",
  ])("%s", (text) => expect(alarmIn(text)).toBe("medium"));
});

describe("words of every day", () => {
  it.each([
    "Кот спит на кровати, можно ли?",
    "Как стричь когти, чтобы не было крови?",
    "Как отправить кошку самолётом?",
    "Сколько естественно спать щенку?",
    "Можно ли давать кости собаке?",
    "Какую игрушку купить котёнку?",
    "What should my cat eat?",
    "Can dogs eat chocolate or grapes?",
    "Is a seat belt needed in a car?",
  ])("%s", (text) => expect(alarmIn(text)).toBe("low"));
});

describe("what kind of emergency it is", () => {
  it.each<[string, Emergency]>([
    ["Собака без сознания, помогите!", "unconscious"],
    ["Кот не дышит", "breathing"],
    ["У собаки судороги уже три минуты", "seizure"],
    ["Из раны кровь течёт второй час", "bleeding"],
    ["Собака проглотила батарейку", "swallowed"],
    ["Щенок съел крысиный яд", "poison"],
    ["Собаку сбила машина", "injury"],
    ["Собака перегрелась, тепловой удар", "heat"],
    ["Пса укусила змея", "snake"],
    ["Щенок застрял, роды идут третий час", "birth"],
    ["Кот не может пописать второй день", "urine"],
    ["У таксы отказали задние лапы", "paralysis"],
    ["У собаки раздуло живот", "bloat"],
  ])("%s: %s", (text, kind) => expect(emergencyIn(text)).toBe(kind));

  it("is none in words of every day", () => expect(emergencyIn("Чем кормить кота летом?")).toBeUndefined());
});

it.each(emergencyKinds)(
  "%s has first steps in both languages, and none of them is a drug or a dose",
  (kind) => {
    for (const language of ["ru", "en"] as const) {
      const { alarm, steps, clinics } = firstAidFor(kind, language);
      expect(alarm).toMatch(/клиник|clinic/);
      expect(steps.length).toBeGreaterThan(1);
      expect(steps.join(" ")).not.toMatch(/\d\s*(мг|мл|mg|ml)(?![а-яёa-z])/i);
      expect(() => new URL(clinics.url)).not.toThrow();
    }
  },
);
