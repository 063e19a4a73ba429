import { chanceOf } from "../web/chance.ts";

export interface SiteOptions {
  /** Whether enough people visit it for field data; by chance unless given. */
  readonly field?: boolean | undefined;
  /** Scores by category, 0 to 1; null where Lighthouse could not compute one. */
  readonly scores?: Readonly<Record<string, number | null>> | undefined;
  /** Lighthouse fails with it: `NO_FCP`, … */
  readonly runtimeError?: string | undefined;
}

export const categories = ["performance", "seo", "accessibility", "best-practices"] as const;
export type Category = (typeof categories)[number];

/** A report of Lighthouse in Russian, with what was asked for. */
export function reportOf(
  url: URL,
  asked: readonly Category[],
  strategy: string,
  options: SiteOptions,
  now: Date,
) {
  const chance = chanceOf("pagespeed", url.href, strategy);
  const speed = chance.between(20, 97) / 100;
  const lcp = Math.round(6200 - speed * 5000);
  const cls = chance.between(0, 35) / 100;
  const scored = Object.fromEntries(
    asked.map((category) => {
      const usual = category === "performance" ? speed : chanceOf(category, url.href).between(55, 100) / 100;
      const given = options.scores?.[category];
      return [
        category,
        { id: category, title: titles[category], score: given === undefined ? usual : given },
      ];
    }),
  );
  const field = options.field ?? chanceOf("field", url.hostname).below(10) < 6;
  const experience = {
    id: url.href,
    initial_url: url.href,
    ...(field && {
      metrics: metricsOf(lcp, cls, chance.between(120, 420), chance.between(200, 1900)),
      overall_category: speed > 0.8 ? "FAST" : "AVERAGE",
    }),
  };
  return {
    captchaResult: "CAPTCHA_NOT_NEEDED",
    kind: "pagespeedonline#result",
    id: url.href,
    loadingExperience: experience,
    originLoadingExperience: { ...experience, id: url.origin },
    lighthouseResult: {
      requestedUrl: url.href,
      finalUrl: url.href,
      lighthouseVersion: "12.8.2",
      fetchTime: now.toISOString(),
      runWarnings: [],
      categories: scored,
      audits: asked.includes("performance") ? performanceAudits(speed, lcp, cls) : otherAudits(url),
    },
    analysisUTCTimestamp: now.toISOString(),
  };
}

const titles: Record<Category, string> = {
  performance: "Производительность",
  seo: "Поисковая оптимизация",
  accessibility: "Специальные возможности",
  "best-practices": "Рекомендации",
};

function metricsOf(lcp: number, cls: number, inp: number, ttfb: number) {
  const metric = (percentile: number, good: number) => ({
    percentile,
    distributions: [
      { min: 0, max: good, proportion: 0.7 },
      { min: good, proportion: 0.3 },
    ],
    category: percentile <= good ? "FAST" : "AVERAGE",
  });
  return {
    LARGEST_CONTENTFUL_PAINT_MS: metric(lcp, 2500),
    CUMULATIVE_LAYOUT_SHIFT_SCORE: metric(Math.round(cls * 100), 10),
    INTERACTION_TO_NEXT_PAINT: metric(inp, 200),
    EXPERIMENTAL_TIME_TO_FIRST_BYTE: metric(ttfb, 800),
    FIRST_CONTENTFUL_PAINT_MS: metric(Math.round(lcp * 0.6), 1800),
  };
}

interface Words {
  readonly title: string;
  readonly description: string;
}

/** As Lighthouse has them in Russian. */
const words = {
  largest: {
    title: "Отрисовка самого крупного элемента",
    description: "Показывает, когда отрисован самый крупный текст или изображение.",
  },
  shift: {
    title: "Совокупное смещение макета",
    description: "Показывает, насколько смещаются видимые элементы области просмотра.",
  },
  blocking: {
    title: "Общее время блокировки",
    description: "Сумма периодов, в которые страница не реагировала на действия пользователя.",
  },
  first: {
    title: "Первая отрисовка контента",
    description: "Показывает, когда отрисован первый текст или изображение.",
  },
  index: {
    title: "Индекс скорости",
    description: "Показывает, как быстро становится видимым содержание страницы.",
  },
  server: {
    title: "Время ответа сервера",
    description:
      "Ответ сервера на запрос основного документа должен приходить быстро: от него зависят остальные запросы.",
  },
  render: {
    title: "Устраните ресурсы, блокирующие отображение",
    description:
      "Некоторые ресурсы блокируют первую отрисовку страницы. Встройте критически важные JS и CSS и отложите загрузку остальных.",
  },
  formats: {
    title: "Используйте современные форматы изображений",
    description: "WebP и AVIF сжимают лучше, чем PNG и JPEG: такие изображения загружаются быстрее.",
  },
  unused: {
    title: "Удалите неиспользуемый код JavaScript",
    description: "Отложите загрузку скриптов, пока они не понадобятся, чтобы уменьшить расход трафика.",
  },
} as const satisfies Readonly<Record<string, Words>>;

function performanceAudits(speed: number, lcp: number, cls: number) {
  const numeric = ({ title, description }: Words, value: number, displayValue: string, extra = {}) => ({
    title,
    description: `${description} [Подробнее](https://developer.chrome.com/docs/lighthouse/performance/).`,
    score: speed,
    scoreDisplayMode: "numeric",
    numericValue: value,
    displayValue,
    ...extra,
  });
  return {
    "largest-contentful-paint": numeric(words.largest, lcp, `${(lcp / 1000).toFixed(1)} с`),
    "cumulative-layout-shift": numeric(words.shift, cls, String(cls)),
    "total-blocking-time": numeric(words.blocking, Math.round(900 * (1 - speed)), "мс"),
    "first-contentful-paint": numeric(words.first, Math.round(lcp * 0.6), "с"),
    "speed-index": numeric(words.index, Math.round(lcp * 1.2), "с"),
    "server-response-time": {
      ...numeric(words.server, 640, "640 мс"),
      scoreDisplayMode: "binary",
      score: 1,
    },
    "render-blocking-resources": numeric(words.render, 0, "", {
      score: 0.3,
      scoreDisplayMode: "metricSavings",
      details: { type: "opportunity", overallSavingsMs: Math.round(1500 * (1 - speed)) },
    }),
    "modern-image-formats": numeric(words.formats, 0, "", {
      score: 0,
      scoreDisplayMode: "metricSavings",
      details: { type: "opportunity", overallSavingsMs: Math.round(2600 * (1 - speed)) },
    }),
    "unused-javascript": numeric(words.unused, 0, "", {
      score: 0.5,
      scoreDisplayMode: "metricSavings",
      details: { type: "opportunity", overallSavingsMs: 300 },
    }),
    "screenshot-thumbnails": { title: "Снимки", score: null, scoreDisplayMode: "informative" },
  };
}

function otherAudits(url: URL) {
  const chance = chanceOf("audits", url.href);
  /** An audit that fails has another title. */
  const binary = ({ title, failed, description }: Words & { readonly failed: string }) => {
    const score = chance.below(2);
    return {
      title: score === 1 ? title : failed,
      description: `${description} [Подробнее](https://developer.chrome.com/docs/lighthouse/).`,
      ...{ score, scoreDisplayMode: "binary" },
    };
  };
  return {
    "meta-description": binary({
      title: "В документе есть метаописание",
      failed: "В документе нет метаописания",
      description:
        "Метаописания могут быть включены в результаты поиска, чтобы кратко охарактеризовать содержание страницы.",
    }),
    "image-alt": binary({
      title: "У изображений есть атрибуты alt",
      failed: "У изображений нет атрибутов alt",
      description:
        "В информационных элементах должен содержаться короткий, но содержательный альтернативный текст.",
    }),
    "link-text": binary({
      title: "Ссылки содержат описания",
      failed: "В ссылках нет описаний",
      description: "Описательный текст ссылок помогает поисковым системам понять ваш контент.",
    }),
    "color-contrast": binary({
      title: "Цвета фона и текста достаточно контрастны",
      failed: "Цвета фона и текста недостаточно контрастны",
      description: "Многим пользователям сложно или невозможно читать текст с низкой контрастностью.",
    }),
    "is-on-https": { title: "Используется HTTPS", score: null, scoreDisplayMode: "notApplicable" },
  };
}
