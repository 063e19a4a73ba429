/** The demo's small business: a tea shop with a site of its own, whose first article is written after the start. */
export const demoBusiness = {
  /** A Telegram id that nobody has. */
  userId: 77,
  site: {
    name: "tea-shop",
    address: "https://tea-shop.wordpress.test",
    title: "Чайная лавка «Два листа»",
    tagline: "Чай из Китая и Тайваня, весовой и в упаковке",
    login: "shop",
    appPassword: "molvaDEMO1234teaSHOP5678",
    /** What the site has before SEO Master writes: articles link there. */
    pages: [
      {
        title: "Доставка и самовывоз",
        content:
          "<p>Отправляем в день заказа, если он сделан до 14:00. По Перми привозим за 200 рублей, от 2500 рублей — бесплатно.</p>",
      },
      {
        title: "Как заваривать улун проливами",
        content:
          "<p>Возьмите 5 граммов на 120 миллилитров, воду 95 градусов и короткие проливы: первый — 10 секунд, каждый следующий на 5 секунд дольше.</p>",
      },
      {
        title: "Чем отличаются сорта зелёного чая",
        content:
          "<p>Лунцзин обжаривают в котле, сенчу пропаривают, а маофэн сушат бережно — отсюда орех, трава и цветы во вкусе.</p>",
      },
      {
        title: "Подарочные наборы чая",
        content:
          "<p>Собираем наборы из трёх и шести сортов, кладём карточку с тем, как каждый заваривать.</p>",
      },
    ],
  },
  telegram: {
    bot: { username: "dva_lista_bot", token: `7000000077:${"T".repeat(35)}`, title: "Два листа" },
    channel: { chat: "@dva_lista_tea", title: "Чай «Два листа»" },
  },
  project: {
    name: "Два листа",
    company_name: "Два листа",
    specialization: "чайная лавка: весовой чай из Китая и Тайваня, посуда для чая",
    website_url: "https://tea-shop.wordpress.test",
    company_city: "Пермь",
    company_address: "ул. Пермская, 40",
    company_phone: "+7 342 200-00-77",
    experience: "В лавке 84 сорта чая; каждую партию пробуем до закупки и подписываем год и месяц сбора",
    advantages:
      "Отправка в день заказа до 14:00; пробники по 10 граммов; вернём деньги, если чай не понравился",
    description: "Лавка на тихой улице, где чай дают попробовать до покупки",
  },
  category: {
    name: "Листовой чай",
    description:
      "Весовой листовой чай: улуны, зелёный, красный и пуэр. Рассказываем, чем сорта отличаются на вкус, как их выбирать, хранить и заваривать дома без специальной посуды.",
    prices: [
      { name: "Улун Те Гуань Инь, 50 г", price: "490 руб." },
      { name: "Зелёный чай Лунцзин, 50 г", price: "650 руб." },
      { name: "Пуэр шу, блин 357 г", price: "1900 руб." },
      { name: "Набор пробников, 6 × 10 г", price: "600 руб." },
    ],
    clusters: [
      {
        cluster_name: "Как выбрать улун",
        cluster_type: "article",
        main_phrase: "как выбрать чай улун",
        phrases: [
          { phrase: "как выбрать чай улун", volume: 880, difficulty: 18 },
          { phrase: "чай улун какой лучше", volume: 590, difficulty: 21 },
          { phrase: "улун сорта", volume: 320, difficulty: 16 },
        ],
      },
      {
        cluster_name: "Как хранить чай",
        cluster_type: "article",
        main_phrase: "как хранить листовой чай",
        phrases: [
          { phrase: "как хранить листовой чай", volume: 480, difficulty: 12 },
          { phrase: "срок хранения чая", volume: 390, difficulty: 14 },
        ],
      },
      {
        cluster_name: "Пуэр для начинающих",
        cluster_type: "article",
        main_phrase: "пуэр с чего начать",
        phrases: [
          { phrase: "пуэр с чего начать", volume: 260, difficulty: 11 },
          { phrase: "шу или шен пуэр", volume: 210, difficulty: 13 },
        ],
      },
      {
        cluster_name: "Купить улун",
        cluster_type: "product_page",
        main_phrase: "купить улун",
        phrases: [{ phrase: "купить улун", volume: 720, difficulty: 34 }],
      },
    ],
  },
} as const;
