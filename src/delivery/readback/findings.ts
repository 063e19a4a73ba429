/** Every possible error of a page, in words; `{…}` is filled from the finding. */
export const pageErrors = {
  refused: {
    en: "The page was not opened: {detail}.",
    ru: "Страница не открыта: {detail}.",
    mayPass: false,
  },
  unreachable: {
    en: "The page cannot be opened: {detail}.",
    ru: "Страница не открывается: {detail}.",
    mayPass: true,
  },
  status: {
    en: "The page answers {detail} instead of 200.",
    ru: "Страница отвечает {detail} вместо 200.",
    mayPass: true,
  },
  not_html: {
    en: "The page is not HTML but {detail}.",
    ru: "По адресу страницы не HTML, а {detail}.",
    mayPass: true,
  },
  unreadable: {
    en: "The page's HTML cannot be read: {detail}.",
    ru: "HTML страницы не читается: {detail}.",
    mayPass: false,
  },
  title_missing: {
    en: "No heading of the page is the article's title, “{detail}”.",
    ru: "На странице нет заголовка статьи «{detail}».",
    mayPass: true,
  },
  heading_missing: {
    en: "The heading “{detail}” is missing.",
    ru: "Нет подзаголовка «{detail}».",
    mayPass: false,
  },
  headings_disordered: {
    en: "The headings stand in another order: “{detail}” comes too early.",
    ru: "Подзаголовки стоят в другом порядке: «{detail}» оказался слишком рано.",
    mayPass: false,
  },
  picture_missing: {
    en: "The text shows fewer pictures than were published: {detail}.",
    ru: "В тексте меньше картинок, чем опубликовано: {detail}.",
    mayPass: false,
  },
  picture_broken: {
    en: "A picture does not open: {detail}.",
    ru: "Картинка не открывается: {detail}.",
    mayPass: true,
  },
  code_visible: {
    en: "Readers see code as text: {detail}.",
    ru: "Читатели видят код вместо оформления: {detail}.",
    mayPass: false,
  },
  noindex: {
    en: "Search engines are told to leave the page out: {detail}.",
    ru: "Поисковикам запрещено показывать страницу: {detail}.",
    mayPass: false,
  },
  canonical_differs: {
    en: "The page names another address as the original: {detail}.",
    ru: "Страница называет оригиналом другой адрес: {detail}.",
    mayPass: false,
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly en: string;
      readonly ru: string;
      /**
       * Whether it may disappear by itself, because a cache, a busy site or a slow storage caused it: then the page is read
       * again.
       */
      readonly mayPass: boolean;
    }
  >
>;

export type PageErrorCode = keyof typeof pageErrors;

/** One error of a page. */
export interface PageFinding {
  readonly code: PageErrorCode;
  readonly detail: string;
}

const longestDetail = 200;

export function found(code: PageErrorCode, detail: string): PageFinding {
  const characters = [...detail];
  return {
    code,
    detail:
      characters.length > longestDetail ? `${characters.slice(0, longestDetail - 1).join("")}…` : detail,
  };
}

/** The form in which it is stored: with its sentence, for readers of the audit trail. */
export function storedFinding({ code, detail }: PageFinding) {
  return { code, message: findingInWords({ code, detail }, "en"), detail };
}

export function findingInWords({ code, detail }: PageFinding, language: "en" | "ru"): string {
  return pageErrors[code][language].replace("{detail}", () => detail);
}
