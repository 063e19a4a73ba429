import { questionsOf } from "./article.ts";
import { capital, type Ground, phraseOf, sentencesOf } from "./ground.ts";
import { tagsIn } from "./tags.ts";
import { themes } from "./themes.ts";

/** What is asked for around an article: plan, outline, research, critique, judgement. */

export function outline(ground: Ground): object {
  const phrase = phraseOf(ground);
  const ids = ground.tags.all("source").map((source) => tagsIn(source).one("id"));
  const gaps = ground.tags.lines("gaps");
  return {
    h1: `${capital(phrase)}: что важно знать заранее`,
    sections: themes.slice(0, 5).map(({ heading, sub, sentences }, index) => ({
      h2: gaps[index] && index > 2 ? capital(gaps[index] ?? "") : heading(phrase),
      h3: [sub],
      theses: sentences.slice(0, 3),
      source_ids: ids.filter((_, at) => at % 5 === index),
    })),
    faq: questionsOf(ground, phrase).map(({ question, answer }) => ({
      question,
      thesis: sentencesOf(answer)[0] ?? answer,
    })),
    conclusion: "Короткий итог и одно действие: прислать размеры и пожелания.",
  };
}

export function research(ground: Ground): object {
  const phrase = phraseOf(ground);
  const share = 20 + ground.pick(60);
  return {
    facts: [
      {
        claim: `Требования к работам по теме «${phrase}» описаны в действующих строительных правилах.`,
        source: "Свод правил Минстроя",
        year: 2024,
      },
      {
        claim: "Гарантийный срок на работы указывают в договоре.",
        source: "Гражданский кодекс РФ",
        year: null,
      },
    ],
    trends: [
      {
        trend: "Растёт спрос на материалы, которые легко ремонтировать.",
        relevance: `Касается темы «${phrase}».`,
      },
    ],
    statistics: [
      {
        metric: "Доля тех, кто сравнивает несколько смет",
        value: `${share} %`,
        source: "Опрос отраслевого союза",
      },
    ],
    summary: `По теме «${phrase}» есть правила, договорная практика и данные опросов; точные числа нужно сверить с источниками.`,
  };
}

const readers = [
  ["Новичок", "С чего начать?", "Что спросить у мастера?"],
  ["Тот, кто уже обжёгся", "Как не повторить ошибку?", "Что записать в договор?"],
  ["Тот, кто сравнивает цены", "Из чего складывается сумма?", "На чём нельзя экономить?"],
  ["Специалист", "Какие материалы подойдут?", "Где чаще всего брак?"],
  ["Тот, кто решает за семью", "Сколько это займёт?", "Как жить во время работ?"],
] as const;

export function plan(ground: Ground): object {
  const { tags } = ground;
  const phrase = phraseOf(ground);
  const own = [...tags.lines("own_facts"), ...tags.lines("advantages")];
  return {
    angle: `${capital(phrase)} глазами тех, кто делает это каждый день: порядок действий и проверка результата.`,
    titles: [
      `${capital(phrase)}: порядок действий без лишних трат`,
      `${capital(phrase)}: что проверить до начала`,
      `${capital(phrase)}: вопросы, которые стоит задать мастеру`,
    ],
    perspectives: readers.map(([reader, ...questions]) => ({ reader, questions })),
    gaps: ["Приёмка по пунктам", "Что записать в договор", "Уход после работ"],
    source_needs: ["Действующие правила и стандарты", "Сроки службы материалов"],
    own_facts: own,
    question_to_owner:
      own.length >= 3 ? null : "Какой случай из вашей практики клиенты вспоминают чаще всего и почему?",
  };
}

const kinds: readonly (readonly [RegExp, string])[] = [
  [/плотност|фраз|описани|meta|seo/i, "seo"],
  [/предложени|абзац|флеш|читаем/i, "readability"],
  [/заголов|раздел|H[1-6]|содержани|FAQ|ссыл/i, "structure"],
  [/штамп|канцеляр|запрет|живо/i, "naturalness"],
];

export function critique(ground: Ground): object {
  const { tags } = ground;
  const issues = tags.lines("issues").slice(0, 8);
  const found = issues.length > 0 ? issues : ["Вступление длиннее, чем нужно: главное появляется поздно."];
  return {
    weaknesses: found.map((problem) => ({
      dimension: kinds.find(([sign]) => sign.test(problem))?.[1] ?? "depth",
      place: "весь текст",
      problem,
      fix: "Сократите лишнее и скажите это одним предложением с примером.",
    })),
    unsupported_sentences: unsupported(ground),
    summary: `Замечаний: ${found.length}. Текст полезен, но его можно сжать.`,
  };
}

/** Sentences with a number that stands in no source and no fact. */
function unsupported({ tags }: Ground): string[] {
  const known = [...tags.all("quote"), tags.one("facts")].join(" ");
  return sentencesOf(tags.one("article").replaceAll(/[#*_>|]/g, " "))
    .filter((sentence) => (sentence.match(/\d+/g) ?? []).some((number) => !known.includes(number)))
    .slice(0, 5);
}

export function judgement({ tags, flaw }: Ground): object {
  return {
    verdicts: tags.all("claim").map((claim) => {
      const inside = tagsIn(claim);
      const [sentence, quote] = [inside.one("sentence"), inside.one("quote")];
      const verdict = flaw === "agrees" ? "supported" : verdictOn(sentence, quote);
      const reason =
        verdict === "supported"
          ? "Выдержка говорит то же самое."
          : "В выдержке это сказано иначе или не сказано.";
      return { claim_id: inside.one("id"), verdict, reason };
    }),
  };
}

function verdictOn(sentence: string, quote: string): string {
  const numbers = (text: string) => [...(text.match(/\d+(?:[.,]\d+)?/g) ?? [])].sort().join(" ");
  const denials = (text: string) => text.match(/(?<![а-яё])не(?![а-яё])/gi)?.length ?? 0;
  const said = sentence.replace(/^По данным «[^»]*», /, "");
  if (numbers(said) !== numbers(quote) || denials(said) !== denials(quote)) return "contradicted";
  const words = (text: string) => new Set(text.toLowerCase().match(/[а-яёa-z]{4,}/g) ?? []);
  const known = words(quote);
  const strange = [...words(said)].filter((word) => !known.has(word));
  return strange.length > 2 ? "not_in_quote" : "supported";
}
