import { chanceOf } from "./chance.ts";

/** The imaginary web that the twins of search engines find and the twin of Firecrawl reads. */
export interface Site {
  readonly host: string;
  readonly name: string;
  /** The folder of its articles. */
  readonly section: string;
}

export const sites: readonly Site[] = [
  { host: "vybirai-s-umom.example", name: "Выбирай с умом", section: "blog" },
  { host: "ekspert-dom.example", name: "Эксперт Дом", section: "stati" },
  { host: "market-obzor.example", name: "Маркет-Обзор", section: "obzory" },
  { host: "prosto-o-vazhnom.example", name: "Просто о важном", section: "journal" },
  { host: "gid-pokupatelya.example", name: "Гид покупателя", section: "gid" },
  { host: "masterskaya-plus.example", name: "Мастерская плюс", section: "sovety" },
  { host: "sravni-cenu.example", name: "Сравни цену", section: "catalog" },
  { host: "baza-znaniy.example", name: "База знаний", section: "wiki" },
  { host: "moy-vybor.example", name: "Мой выбор", section: "articles" },
  { host: "zhurnal-praktika.example", name: "Журнал «Практика»", section: "zhurnal" },
  { host: "narodnyy-test.example", name: "Народный тест", section: "testy" },
  { host: "torgovyy-ryad.example", name: "Торговый ряд", section: "shop" },
  { host: "opyt-i-cifry.example", name: "Опыт и цифры", section: "blog" },
  { host: "gorodskoy-servis.example", name: "Городской сервис", section: "uslugi" },
];

/** Its pages order language models about, unless the control API turns that off. */
export const hostileSite: Site = {
  host: "sovety-mastera.example",
  name: "Советы мастера",
  section: "sovety",
};

/** Cyrillic, as many Russian sites write their addresses: the page's subject can be read from it. */
export function addressOf(site: Site, subject: string): string {
  return new URL(`https://${site.host}/${site.section}/${slugOf(subject)}/`).href;
}

export function slugOf(subject: string): string {
  return subject
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

/** The site of a host: one of the known ones, or one whose name is read from the host. */
export function siteOf(host: string): Site {
  const known = [...sites, hostileSite].find((site) => site.host === host);
  if (known) return known;
  const subject = wordsOf(host.replace(/^www\./, "").split(".")[0] ?? host);
  return {
    host,
    name: capital(subject),
    section: chanceOf("section", host).pick(["blog", "stati", "sovety"]),
  };
}

/** What a page is about, from its path; the site's own subject for its front page. */
export function subjectOf(url: URL): string {
  const last = url.pathname.split("/").filter(Boolean).at(-1);
  if (!last) return siteOf(url.hostname).name.toLowerCase();
  let text = last;
  try {
    text = decodeURIComponent(last);
  } catch {
    // A stray percent sign is part of the name.
  }
  return wordsOf(text.replace(/\.html?$/, ""));
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `kak-vybrat-divan` → «как выбрать диван»; Cyrillic stays as it is. */
function wordsOf(slug: string): string {
  const words = slug
    .toLowerCase()
    .replace(/[-_+]+/g, " ")
    .trim();
  if (/\p{Script=Cyrillic}/u.test(words)) return words;
  return words.replace(latin, (letters) => cyrillic[letters] ?? letters);
}

const cyrillic: Readonly<Record<string, string>> = {
  ...{ shch: "щ", zh: "ж", kh: "х", ts: "ц", ch: "ч", sh: "ш", yu: "ю", ya: "я", yo: "ё" },
  ...{ a: "а", b: "б", v: "в", g: "г", d: "д", e: "е", z: "з", i: "и", y: "ы", j: "й", k: "к", l: "л" },
  ...{
    m: "м",
    n: "н",
    o: "о",
    p: "п",
    r: "р",
    s: "с",
    t: "т",
    u: "у",
    f: "ф",
    h: "х",
    c: "ц",
    w: "в",
    x: "кс",
    q: "к",
  },
};
const latin = /shch|zh|kh|ts|ch|sh|yu|ya|yo|[a-z]/g;
