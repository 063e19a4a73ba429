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
  "telegram-markdown": {
    parse_mode: "Markdown",
    dialect: "telegram",
    text:
      "*Розыгрыш\\!* 🎁 Итоги _30 ноября_, ||секрет||\n\n" +
      "**>Условия: подписка и ~репост~ комментарий\\.\n>Подробнее по __ссылке__||\n" +
      "[Правила](https://example.ru/rules?id=1&lang=ru) и [Анна](tg://user?id=777) ![🔥](tg://emoji?id=5368324170671202286)\n" +
      "```sql\nselect 'ёж';\n```",
  },
  "telegram-legacy": {
    parse_mode: "Markdown",
    dialect: "telegram_legacy",
    text: "*Сводка* за _неделю_: `0.5` и [отчёт](https://example.ru/отчёт)\nимя\\_файла - без косых!",
  },
  "max-markdown": {
    parse_mode: "Markdown",
    dialect: "max",
    text:
      "# Открытие 🎉\n**Приходите** _в субботу_, ++вход свободный++, ^^подарки^^ ~~платно~~\n" +
      "[Анна](max://user/42) ждёт; код `A-1`, 2 * 2 = 4, C++",
  },
  "highlight-and-lists": {
    parse_mode: "HTML",
    text:
      "<h1>План</h1><p>Сначала <mark>важное</mark>, потом <s>прочее</s>.</p>" +
      '<ol start="3"><li>третий<ul><li>вложенный <b>пункт</b></li><li>ещё</li></ul></li><li>четвёртый</li></ol>' +
      "<blockquote>Цитата с <code>кодом</code></blockquote>",
    link_preview: { url: "https://example.ru/p", size: "large", above: true },
  },
  "split-article": {
    parse_mode: "HTML",
    text:
      `<h1>Длинная история 📖</h1><p>Жили-были <b>дед да баба</b>, и было у них всё: <i>и печь, и лавка</i>.</p>` +
      `<p>${'Сказка сказывается, <a href="https://example.ru/skazka">дело делается</a>. '.repeat(70)}</p>` +
      `<p>${"Долго ли, коротко ли — 🐻 медведь пришёл. ".repeat(60)}</p><p>שלום и конец.</p>`,
    buttons: [[{ text: "Дальше", url: "https://example.ru/next" }]],
  },
  "split-with-album": {
    parse_mode: "None",
    text: `${"Текст перед альбомом, довольно длинный. ".repeat(40)}\n\n`.repeat(4),
    media: [
      { type: "photo", url: "https://cdn.example.ru/1.jpg" },
      { type: "photo", url: "https://cdn.example.ru/2.jpg" },
    ],
  },
  article: {
    parse_mode: "HTML",
    text:
      '<p>Диван выбирают <b>на годы</b>.</p><img src="media:1"><h2>Механизм</h2><p>Еврокнижка проще всех.</p>' +
      '<figure><img src="media:0"></figure>',
    media: [
      { type: "photo", url: "https://cdn.example.ru/1.jpg", alt: "Еврокнижка" },
      { type: "photo", url: "https://cdn.example.ru/2.jpg", alt: "Диван у окна" },
    ],
    article: {
      title: "Как выбрать диван",
      slug: "kak-vybrat-divan",
      description: "Три шага к дивану, который не придётся менять.",
      canonical_url: "https://example.ru/kak-vybrat-divan",
      categories: ["Мебель"],
      tags: ["диваны", "советы"],
      json_ld: [{ "@context": "https://schema.org", "@type": "Article", headline: "Как выбрать диван" }],
      cover: 1,
    },
  },
  "html-markup": {
    parse_mode: "HTML",
    text:
      '<b>Жирный <i>и курсив</i></b> &lt;тег&gt; &amp; "кавычки"\n<pre><code class="language-ts">a &lt; b &amp;&amp; c</code></pre>\n' +
      '<blockquote expandable>Складная</blockquote>\n<tg-spoiler>тайна</tg-spoiler> <tg-emoji emoji-id="5368324170671202286">👍</tg-emoji>',
    media: [{ type: "photo", url: "https://cdn.example.ru/1.jpg" }],
  },
};

/** Settings of the channel, for posts that are about them. */
export const goldenSettings: Record<string, Record<string, string>> = {
  "split-article": { too_long: "split" },
  "split-with-album": { too_long: "split" },
  "html-markup": { markup: "html" },
};
