import { describe, expect, it } from "vitest";
import { alarmIn, deniesSight } from "./red-flags.ts";

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
  ])("%s", (text) => expect(alarmIn(text)).toBe("low"));
});

describe("a model that did not see", () => {
  it.each([
    ["К сожалению, я не вижу фото.", true],
    ["Изображение не загрузилось, пришлите ещё раз.", true],
    ["I am unable to view the image.", true],
    ["На фото не видно раны, это хороший знак.", false],
    ["Вижу фото кота.", false],
  ])("%s: %s", (text, denies) => expect(deniesSight(text)).toBe(denies));
});
