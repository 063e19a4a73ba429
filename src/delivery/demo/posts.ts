import { demo } from "./names.ts";

/** The posts that the demo workspace starts with: text, formatting, links, a photo, an album, buttons. */
export function demoPosts(pictures: string): readonly Record<string, unknown>[] {
  const photo = (name: string) => ({ type: "photo", url: `${pictures}/${name}.jpg` });
  return [
    {
      source_ref: "demo-welcome",
      payload: {
        parse_mode: "HTML",
        text:
          "<b>Добро пожаловать в Молву!</b>\n\nОдна публикация приходит в каждый подходящий канал <i>один раз</i>, " +
          "вовремя и в пределах лимитов площадки. А если что-то пошло не так, всегда видно, что и почему.",
      },
    },
    {
      source_ref: "demo-moscow",
      payload: {
        parse_mode: "HTML",
        text:
          "<b>Над Москвой ясно до конца недели</b>\n\nСиноптики обещают сухую погоду и до +4 днём. " +
          "Самое время для прогулки по набережным.\n\n#новости #москва",
        media: [photo("city")],
      },
    },
    {
      source_ref: "demo-travel",
      payload: {
        text: "Четыре дня на Алтае: маршрут, который подойдёт новичкам. Листайте фотографии 👉\n\n#путешествия",
        media: [photo("mountains"), photo("lake"), photo("road"), photo("camp")],
      },
    },
    {
      source_ref: "demo-discount",
      payload: {
        parse_mode: "HTML",
        text:
          "<b>−30 % на всё для дома</b> до воскресенья 🏡\n\nПромокод: <code>УЮТ30</code>\n" +
          "<s>4 990 ₽</s> 3 490 ₽ за плед из мериноса.\n\n#скидки #дом",
        buttons: [[{ text: "Открыть каталог", url: "https://example.com/catalog" }]],
      },
    },
    {
      source_ref: "demo-recipe",
      payload: {
        parse_mode: "Markdown",
        text:
          "**Сырники без муки**\n\n1. Творог 400 г разомните с яйцом и ложкой сахара.\n2. Добавьте две ложки манки и " +
          "оставьте на 15 минут.\n3. Жарьте на _умеренном_ огне по 4 минуты с каждой стороны.\n\n#рецепты",
        media: [photo("breakfast")],
      },
    },
    {
      source_ref: "demo-science",
      payload: {
        parse_mode: "HTML",
        text:
          "Почему небо синее, а закат красный?\n\n<blockquote>Короткие волны рассеиваются сильнее длинных: днём до нас " +
          "доходит рассеянный синий, а на закате свет проходит толщу воздуха и остаётся красный.</blockquote>\n\n" +
          '<a href="https://ru.wikipedia.org/wiki/Рэлеевское_рассеяние">Рэлеевское рассеяние</a> в двух абзацах. #наука',
      },
    },
    {
      source_ref: "demo-football",
      payload: {
        parse_mode: "HTML",
        text:
          "⚽ <b>Дерби закончилось вничью, 2:2</b>\n\nГости дважды вели в счёте, но хозяева отыгрались на последней минуте. " +
          "Лучший момент матча, по мнению болельщиков: <tg-spoiler>сейв на 87-й</tg-spoiler>.\n\n#спорт #футбол",
      },
    },
    {
      source_ref: "demo-ai",
      payload: {
        parse_mode: "Markdown",
        text:
          "**Как проверить ответ нейросети за минуту**\n\n- попросите источник и откройте его;\n- задайте вопрос другими словами;\n" +
          "- сверьте числа: `2 + 2` бывает и пятью.\n\n#технологии #нейросети",
        buttons: [[{ text: "Читать целиком", url: "https://example.com/ai" }]],
      },
    },
    {
      source_ref: "demo-cinema",
      payload: {
        parse_mode: "HTML",
        text: "<b>Что посмотреть в выходные</b>\n\nТри тихих фильма про осень и один громкий про космос. Ставьте чайник. #кино #музыка",
        media: [photo("camp")],
      },
    },
    {
      source_ref: "demo-evening",
      payload: {
        text: "Собрали подборку на длинный вечер: роман, настольная игра и вакансия мечты.\n\n#книги #игры #работа",
      },
    },
    {
      source_ref: "demo-article",
      channel_ids: [demo.wordpress.channelId],
      payload: altai(photo),
    },
    {
      source_ref: "demo-spb",
      payload: {
        parse_mode: "HTML",
        text: "<b>Мосты разводят последнюю неделю</b>\n\nНавигация закрывается 30 ноября. Успейте увидеть. #петербург #новости",
        media: [photo("lake")],
      },
    },
    {
      source_ref: "demo-cars",
      payload: {
        parse_mode: "HTML",
        text: "Зимние шины: <u>менять пора</u>, если утром ниже +7. И не забудьте про <i>щётки</i>. #авто #здоровье",
        media: [photo("road")],
      },
    },
  ];
}

/** An article for the demo's site. */
function altai(photo: (name: string) => { type: string; url: string }): Record<string, unknown> {
  return {
    parse_mode: "Markdown",
    article: {
      title: "Четыре дня на Алтае: маршрут для новичков",
      description: "Куда ехать, где ночевать и что взять с собой, если на Алтай вы собираетесь в первый раз.",
      categories: ["Путешествия"],
      tags: ["Алтай", "маршруты", "палатка"],
      focus_keyword: "маршрут по Алтаю",
      json_ld: [
        {
          "@context": "https://schema.org",
          "@type": "FAQPage",
          mainEntity: [
            {
              "@type": "Question",
              name: "Когда лучше ехать на Алтай?",
              acceptedAnswer: { "@type": "Answer", text: "С конца июня до середины сентября." },
            },
          ],
        },
      ],
    },
    text:
      "На Алтай едут за тишиной. Этот маршрут проходит любой, кто может идти четыре часа с рюкзаком и остановками.\n\n" +
      "## День первый: дорога\n\nОт Барнаула по Чуйскому тракту, **одной из самых красивых дорог мира**, семь часов с остановками.\n\n" +
      "![](media:1)\n\n" +
      "## День второй: озеро\n\nВыходите рано: к полудню ветер разгоняет туман, и отражения пропадают.\n\n![](media:2)\n\n" +
      "## День третий: лагерь\n\nЧто пригодится вечером:\n\n- тёплый спальник, ночью бывает до +3;\n- фонарик и спички в двух местах;\n" +
      "- чай, которого всегда берут мало.\n\n![](media:3)\n\n" +
      "## Когда ехать\n\n> С конца июня до середины сентября. В августе меньше всего дождей.\n\n" +
      "Билеты и погоду смотрите заранее, а карту скачайте: связь кончается сразу за перевалом.",
    media: [
      { ...photo("mountains"), alt: "Горы на рассвете" },
      { ...photo("road"), alt: "Чуйский тракт", caption: "Чуйский тракт, километр 612" },
      { ...photo("lake"), alt: "Озеро утром", caption: "Озеро до ветра" },
      { ...photo("camp"), alt: "Палатка у костра" },
    ],
  };
}
