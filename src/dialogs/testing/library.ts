/** A demo of screens beside flows: a library with books, an editor of them, and a print shop that takes its time. */
import { z } from "zod";
import { flowsOf, type StepContext } from "../flow/flow.ts";
import { reading, text } from "../flow/inputs.ts";
import type { BotKeyboard } from "../flow/keyboard.ts";
import { pageOf, pager, pagerItems } from "../flow/pages.ts";
import { flowAddress, screensOf } from "../flow/screens.ts";

export interface LibraryServices {
  /** Titles by number; the owner's chat sees them. */
  readonly books: Map<number, { title: string; owner: string }>;
  readonly admins: ReadonlySet<string>;
  readonly left: string[];
  /** How far a print is. */
  progress(id: string): string | { readonly outcome: string } | undefined;
  readonly stopped: string[];
  readonly deletions: number[];
}

const flow = flowsOf<LibraryServices>();
const { screen, action } = screensOf<LibraryServices>();
const both = (ru: string, en: string) => ({ ru, en });

const bookOf = (services: LibraryServices, chatId: string, id: number) => {
  const book = services.books.get(id);
  return book?.owner === chatId ? book : undefined;
};
const booksOf = (services: LibraryServices, chatId: string) =>
  [...services.books].filter(([, { owner }]) => owner === chatId);

export const libraryScreens = [
  screen("dashboard", {
    to: ["page:books:{page}", "book:new"],
    commands: ["start"],
    interrupts: true,
    async show(_, { services, chatId, kept, argument = "" }) {
      const count = booksOf(services, chatId).length;
      const print = await kept("Print");
      return {
        text: `Книг: ${count}${argument && ` (${argument})`}`,
        buttons: [
          print ? [{ label: "Вернуться к печати", to: flowAddress("Print", "resume") }] : [],
          [
            { label: "Книги", to: "page:books:1", style: "primary" as const },
            { label: "Новая", to: "book:new" },
          ],
          [
            { label: "Сайт", url: "https://example.com/" },
            { label: "Скопировать", copy: "https://example.com/ref" },
          ],
        ],
      };
    },
  }),
  screen("page:books:{page}", {
    to: ["page:books:{page}", "book:{id}:card", "dashboard"],
    show({ page: wanted }, { services, chatId }) {
      const { items, page, pages } = pageOf(booksOf(services, chatId), wanted);
      return {
        text: `Книги, страница ${page}`,
        buttons: [
          ...items.map(([id, { title }]) => [{ label: title, to: `book:${id}:card` }]),
          pager({ page, pages }, (each) => `page:books:${each}`),
          [{ label: "В меню", to: "dashboard" }],
        ],
      };
    },
  }),
  screen("book:{id}:card", {
    to: [
      "book:{id}:rename",
      "book:{id}:delete",
      "book:{id}:file:{@kind}",
      "book:{id}:print",
      "page:books:{page}",
    ],
    show({ id }, { services, chatId }) {
      const book = bookOf(services, chatId, id);
      return (
        book && {
          text: { markdown: `**${book.title}**` },
          ...(book.title.startsWith("Фото") && { picture: { stored: "cover" } }),
          buttons: [
            [
              { label: "Переименовать", to: `book:${id}:rename` },
              { label: "Удалить", to: `book:${id}:delete`, style: "danger" as const },
            ],
            [
              { label: "CSV", to: `book:${id}:file:csv` },
              { label: "Печать", to: `book:${id}:print` },
            ],
            [{ label: "К книгам", to: "page:books:1" }],
          ],
        }
      );
    },
  }),
  action("book:new", { to: ["flow:BookCreate"], act: () => ({}) }),
  action("book:{id}:rename", {
    to: ["flow:BookRename"],
    act({ id }, { services, chatId }) {
      const book = bookOf(services, chatId, id);
      return book && { data: { id, title: book.title } };
    },
  }),
  action("book:{id}:delete", {
    to: ["page:books:{page}"],
    act({ id }, { services, chatId }) {
      const book = bookOf(services, chatId, id);
      if (!book) return undefined;
      services.deletions.push(id);
      services.books.delete(id);
      return { to: "page:books:1", notice: `Удалено: ${book.title}`, toast: "Удалено" };
    },
  }),
  action("book:{id}:file:{@kind}", {
    to: ["book:{id}:card"],
    act({ id, kind }, { services, chatId }) {
      const book = bookOf(services, chatId, id);
      if (!book) return undefined;
      const bytes = Buffer.from(`title\n${book.title}\n`);
      return {
        to: `book:${id}:card`,
        say: [{ document: { bytes }, name: `book-${id}.${kind}`, caption: "Ваш файл" }],
      };
    },
  }),
  action("book:{id}:print", {
    to: ["flow:Print"],
    act: ({ id }, { services, chatId }) => bookOf(services, chatId, id) && { data: { id } },
  }),
  screen("admin", {
    to: ["dashboard"],
    show: (_, { services, userId }) =>
      services.admins.has(userId)
        ? { text: "Админка", buttons: [[{ label: "В меню", to: "dashboard" }]] }
        : undefined,
  }),
];

export const libraryKeyboard: BotKeyboard<LibraryServices> = {
  text: both("Кнопки внизу всегда под рукой.", "The buttons below are always at hand."),
  rows: [
    [
      { label: both("Меню", "Menu"), to: "screen:dashboard", style: "primary" },
      { label: both("Написать книгу", "Write a book"), to: "flow:BookCreate" },
    ],
    [
      {
        label: both("АДМИНКА", "ADMIN"),
        to: "screen:admin",
        when: ({ services, userId }) => services.admins.has(userId),
      },
    ],
  ],
};

const title = text({
  min: 2,
  max: 100,
  refusal: both("Введите название от 2 до 100 символов", "Enter a title of 2 to 100 characters"),
});

const bookCreate = flow({
  name: "BookCreate",
  title: both("новая книга", "a new book"),
  data: z.object({ title: z.string(), genre: z.string(), page: z.number(), cover: z.string() }),
  empty: { title: "", genre: "", page: 1, cover: "" },
  first: "name",
  rivals: (_, state) => (state === "name" ? "replace" : "ask"),
  inactivity: {
    minutes: 30,
    text: both("Сессия истекла. Начните заново", "Time is up. Please start again."),
  },
  cancelLabel: both("Прервать", "Stop"),
  keep: {
    hours: 24,
    when: ({ title: named }) => named !== "",
    summary: ({ title: named }, _, language) =>
      language === "ru" ? `Книга «${named}»` : `The book “${named}”`,
  },
  async leave({ services }, why) {
    services.left.push(why);
  },
  states: {
    name: {
      ask: both("Как называется книга?", "What is the book called?"),
      text: reading(title, "genre", (named) => ({ data: { title: named } })),
    },
    genre: {
      ask: both("Какой жанр?", "Which genre?"),
      buttons: {
        genre: {
          label: both("", ""),
          columns: 3,
          style: "success",
          each: ({ page }) => pageOf(genres, page).items.map((arg) => ({ arg, label: arg })),
          to: "cover",
          press: (_, arg) => ({ data: { genre: arg } }),
        },
        page: {
          label: both("", ""),
          columns: 3,
          each: ({ page }) => pagerItems(pageOf(genres, page)),
          to: "@stay",
          press: (_, arg) => ({ data: { page: Number(arg) } }),
        },
      },
      links: [
        {
          label: both("Скопировать", "Copy"),
          when: ({ title: named }) => named !== "",
          copy: ({ title: named }) => named,
        },
      ],
    },
    cover: {
      ask: both("Пришлите обложку или подтвердите ссылкой.", "Send a cover, or confirm by the link."),
      media: {
        photo: { to: "@stay", download: { bytes: 1_000 }, take: (_, { file }) => coverOf(file) },
        document: { to: ["screen:book:{id}:card", "@stay"], download: { bytes: 1_000 }, take: save },
      },
      commands: {
        "start:cover_": {
          to: "screen:book:{id}:card",
          take: (turn, argument) => saved(turn, argument.slice(6)),
        },
      },
    },
  },
});

const genres = Array.from({ length: 10 }, (_, index) => `жанр ${index + 1}`);

type BookData = { title: string; genre: string; page: number; cover: string };
type BookTurn = StepContext<BookData, LibraryServices>;
type File = { readonly kind: string; readonly bytes?: Uint8Array } | undefined;

function coverOf(file: File) {
  return file?.kind === "file"
    ? { notice: `Байт: ${file.bytes?.byteLength}` }
    : { refuse: `Файл: ${file?.kind}` };
}

function save(turn: BookTurn, { file }: { file?: File }) {
  return file?.kind === "file" ? saved(turn, "файл") : { refuse: `Файл: ${file?.kind}` };
}

function saved({ data, services, chatId }: BookTurn, cover: string) {
  const id = Math.max(0, ...services.books.keys()) + 1;
  services.books.set(id, { title: data.title, owner: chatId });
  return { to: `screen:book:${id}:card` as const, notice: `Книга создана, обложка: ${cover}` };
}

const bookRename = flow({
  name: "BookRename",
  title: both("новое название", "a new title"),
  data: z.object({ id: z.number(), title: z.string() }),
  empty: { id: 0, title: "" },
  first: "title",
  rivals: "replace",
  inactivity: "never",
  states: {
    title: {
      ask: ({ title: named }) => `Вместо «${named}»?`,
      // A book that is gone meanwhile needs no name.
      prepare: {
        to: ["screen:page:books:{page}"],
        take: ({ data, services }) =>
          services.books.has(data.id) ? {} : { to: "screen:page:books:1", notice: "Книги уже нет." },
      },
      text: reading(
        title,
        "screen:book:{id}:card",
        (named, { data, services, chatId }: StepContext<{ id: number; title: string }, LibraryServices>) => {
          services.books.set(data.id, { title: named, owner: chatId });
          return { to: `screen:book:${data.id}:card` };
        },
      ),
    },
  },
});

const print = flow({
  name: "Print",
  title: both("печать", "printing"),
  data: z.object({ id: z.number(), sheets: z.number() }),
  empty: { id: 0, sheets: 0 },
  first: "confirm",
  rivals: "replace",
  inactivity: { minutes: 30, text: both("Сессия истекла.", "Time is up.") },
  keep: {
    hours: 24,
    when: (_, state) => state !== "confirm",
    ended: both("Книга напечатана.", "The book is printed."),
  },
  async leave({ services }, why) {
    services.left.push(`print ${why}`);
  },
  states: {
    confirm: {
      ask: both("Печатаем?", "Print it?"),
      buttons: { yes: { label: both("Да", "Yes"), to: "printing", style: "success" } },
    },
    printing: {
      ask: both("Печатаю…", "Printing…"),
      wait: {
        on: ({ id }) => `print:${id}`,
        outcomes: {
          done: { to: "printed", take: (_, { sheets }) => ({ data: { sheets: Number(sheets ?? 0) } }) },
          failed: { to: "confirm", take: () => ({ notice: "Бумага кончилась, токены возвращены." }) },
        },
        async look({ data, services }) {
          return services.progress(String(data.id));
        },
      },
      buttons: {
        cancel: {
          label: both("Отмена", "Cancel"),
          to: "@stay",
          press({ data, services }) {
            services.stopped.push(String(data.id));
            return { notice: "Останавливаю после этого листа." };
          },
        },
      },
    },
    printed: {
      ask: ({ sheets }) => `Напечатано листов: ${sheets}`,
      picture: ({ sheets }) => (sheets > 100 ? { stored: "cover" } : undefined),
      buttons: { ok: { label: both("Хорошо", "Good"), to: "screen:dashboard" } },
    },
  },
});

export const libraryFlows = [bookCreate, bookRename, print] as const;
