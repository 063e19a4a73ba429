/** What the demo workspace has posted before anyone looks: text, formatting, links, a photo, an album, buttons. */
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
  ];
}
