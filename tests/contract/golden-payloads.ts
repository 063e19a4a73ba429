/** Posts as customers send them, by the name of their golden files. */
export const goldenPayloads: Record<string, unknown> = {
  "sale-html": {
    parse_mode: "HTML",
    text:
      "<b>Чёрная пятница уже здесь!</b> 🔥\n\n" +
      "Скидки до <s>30%</s> <b><u>70%</u></b> на <i>всё</i>:\n" +
      '<a href="https://shop.example.ru/catalog?utm_source=tg&utm_medium=post">смотреть каталог</a>\n\n' +
      "<blockquote expandable>Промокод действует до 30 ноября.\nПодробности у продавца.</blockquote>\n" +
      "<tg-spoiler>Код: BF-2026</tg-spoiler> 👩🏽‍💻",
    buttons: [[{ text: "Купить 🛒", url: "https://shop.example.ru/buy" }]],
  },
  "article-markdown": {
    parse_mode: "Markdown",
    text:
      "# Как выбрать ёлку\n\n" +
      "Три правила, **проверенных** _временем_:\n\n" +
      "1. Смотрите на ~~цену~~ *хвою*\n2. Проверьте ствол:\n   - прямой\n   - без трещин\n3. Не спешите\n\n" +
      "> Лучшая ёлка та, что дома.\n\n" +
      "```ts\nconst ёлка = выбрать({ высота: 180 });\n```\n\n" +
      "Размер в snake_case и 2 * 2 = 4; пишите на [почту](mailto:elka@example.ru).",
  },
  "right-to-left": {
    parse_mode: "HTML",
    text: "<b>שלום עולם</b> и <i>مرحبا بالعالم</i>: (100%) — 👨‍👩‍👧‍👦 <code>می‌خواهم</code>",
  },
  "long-link": {
    parse_mode: "HTML",
    text: `Отчёт: <a href="https://reports.example.ru/${"очень-длинный-путь/".repeat(15)}?from=2026-11-01&to=2026-11-30&q=%D0%B0">открыть</a> и <a href="example.ru/kratko">коротко</a>`,
    disable_preview: true,
  },
  "feed-html": {
    parse_mode: "HTML",
    text:
      '<div class="post">\n<h2>Новости <b>недели</b></h2>\n<p>Первый абзац\nс переносом&nbsp;строки.</p>\n' +
      '<ul>\n<li>пункт <a href="javascript:alert(1)">один</a></li>\n<li>пункт два<ol><li>внутри</li></ol></li>\n</ul>\n' +
      '<img src="https://cdn.example.ru/foto.jpg" alt="Фото дня"><script>track()</script>\n' +
      "<table><tr><th>Город</th><th>Цена</th></tr><tr><td>Москва</td><td>100 ₽</td></tr></table></div>",
  },
  "plain-signs": {
    parse_mode: "None",
    text: "1 < 2 & 3 > 2; *звёзды*, _подчёрки_, [скобки](нет), C++ и ~~тильды~~\n\n\nДалеко внизу #хештег @имя",
  },
  "album-captions": {
    parse_mode: "HTML",
    text: "Альбом <b>выходного дня</b>",
    media: [
      {
        type: "photo",
        url: "https://cdn.example.ru/1.jpg",
        caption: "<i>Утро</i>",
        alt: "Рассвет над рекой",
      },
      { type: "video", url: "https://cdn.example.ru/2.mp4" },
      { type: "document", blob_ref: "programme", caption: "Программа" },
    ],
    buttons: [
      [{ text: "Билеты", url: "https://example.ru/t" }],
      [{ text: "Карта", url: "https://example.ru/m" }],
    ],
    silent: true,
  },
  "long-caption": {
    parse_mode: "None",
    text: `${"Длинная подпись к альбому. ".repeat(45)}Конец.`,
    media: [
      { type: "photo", url: "https://cdn.example.ru/1.jpg" },
      { type: "photo", url: "https://cdn.example.ru/2.jpg" },
    ],
  },
};
