import { chanceOf } from "./chance.ts";
import { isUnknown, meaningOf, normal, relatedTo, resultsKeyOf } from "./phrases.ts";
import { addressOf, capital, hostileSite, type Site, sites } from "./sites.ts";

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly domain: string;
  readonly snippet: string;
}

export interface Question {
  readonly question: string;
  readonly snippet: string;
  readonly title: string;
  readonly url: string;
}

/** How many of ten results phrases with one key share; the others are found by the phrase's own words. */
const shared = 8;

/**
 * What is found for a phrase, the best first. Engines agree on the pages and differ in their order. The third result is
 * the hostile site's, so that whoever reads the first three meets it.
 */
export function resultsFor(phrase: string, engine: string): SearchResult[] {
  const text = normal(phrase);
  if (isUnknown(text)) return [];
  const key = resultsKeyOf(text);
  const common = titleOf(key);
  const order = chanceOf("results", key).shuffled(sites);
  const own = chanceOf("results", text).shuffled(order.slice(shared - 1));
  const found = [
    ...chanceOf("engine", engine, key)
      .shuffled(order.slice(0, shared - 1))
      .map((site) => resultOf(site, common)),
    ...own.slice(0, 10 - shared).map((site) => resultOf(site, text)),
  ];
  found.splice(2, 0, resultOf(hostileSite, common));
  return found;
}

/** Questions that people ask around a phrase; for some phrases there are none. */
export function questionsFor(phrase: string): Question[] {
  const text = normal(phrase);
  if (isUnknown(text)) return [];
  const { subject } = meaningOf(text);
  const chance = chanceOf("questions", subject);
  return chance
    .shuffled(questions)
    .slice(0, chance.between(3, 4))
    .map((question) => {
      const site = chance.pick(sites);
      return {
        question: `${question.replace("{t}", subject)}?`,
        snippet: `Обычно ответ зависит от задачи: в ${chance.between(55, 90)} % случаев хватает базового варианта, срок — от ${chance.between(1, 4)} до ${chance.between(5, 14)} дней.`,
        title: `${capital(subject)}: вопросы и ответы — ${site.name}`,
        url: addressOf(site, subject),
      };
    });
}

export const relatedSearchesFor = (phrase: string) => relatedTo(phrase).slice(0, 8);

function resultOf(site: Site, subject: string): SearchResult {
  const chance = chanceOf("snippet", site.host, subject);
  return {
    title: `${capital(subject)} — ${site.name}`,
    url: addressOf(site, subject),
    domain: site.host,
    snippet: chance
      .pick(snippets)
      .replace("{t}", capital(subject))
      .replace("{n}", String(chance.between(5, 15))),
  };
}

/** The subject of pages that all phrases with this key find. */
function titleOf(key: string): string {
  const [subject = "", want = ""] = key.split("|");
  return (
    {
      buy: `${subject} цена`,
      choose: `как выбрать ${subject}`,
      care: `${subject} уход`,
      learn: `${subject} виды`,
    }[want] ?? `${subject} обзор`
  );
}

const questions = [
  "сколько стоит {t}",
  "как выбрать {t} и не ошибиться",
  "какой срок службы: {t}",
  "что важно знать про {t} до покупки",
  "какая гарантия: {t}",
  "где чаще ошибаются: {t}",
] as const;

const snippets = [
  "{t}: разбираем {n} критериев, цены и сроки. Таблица сравнения и советы тех, кто уже прошёл этот путь.",
  "{t} — подробный разбор с цифрами: что входит в стоимость, на что смотреть в договоре, {n} частых ошибок.",
  "Редакция проверила {n} вариантов. {t}: плюсы, минусы, ориентиры по бюджету и ответы на вопросы читателей.",
] as const;
