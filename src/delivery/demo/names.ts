/** The fixed names of db/seed.sql. */
export const demo = {
  workspaceId: "00000000-0000-7000-8000-000000000001",
  endpointId: "00000000-0000-7000-8000-000000000002",
  secret: "molva-demo-secret",
  bots: [
    {
      platform: "telegram",
      authRef: "demo-telegram-bot",
      username: "molva_demo_bot",
      token: `7000000001:${"D".repeat(35)}`,
    },
    { platform: "max", authRef: "demo-max-bot", username: "molva_demo_bot", token: "molva-demo-max-token" },
  ],
  vk: {
    authRef: "demo-vk-editor",
    token: "vk1.a.molva-demo-vk-token",
    channelId: "00000000-0000-7000-8000-000000030001",
    editor: { id: 3001, first_name: "Анна", last_name: "Смирнова" },
    group: { id: 30_000_001, name: "Выходные с Молвой", screen_name: "molva_weekend", members_count: 1_280 },
    /** For people who try to add their own wall; the guide gives the key. */
    spare: {
      token: "molva-demo-token-for-your-own-wall",
      /** Of an editor of that community: pictures are uploaded with such a key only. */
      editor: { id: 3002, first_name: "Ваш", last_name: "Редактор" },
      editorToken: "molva-demo-token-for-your-own-editor",
      group: { id: 30_000_002, name: "Сообщество для вашей пробы", screen_name: "molva_try" },
    },
  },
  pinterest: {
    authRef: "demo-pinterest",
    tokens: {
      access_token: "pina_molva-demo-pinterest-token",
      refresh_token: "pinr_molva-demo-pinterest-token",
    },
    channelId: "00000000-0000-7000-8000-000000040001",
    account: { username: "molva_weekend", business_name: "Выходные с Молвой" },
    board: { id: "400000000001", name: "Идеи на выходные", description: "Куда поехать и что приготовить" },
    /** For people who try to connect their own account. */
    spare: {
      account: { username: "molva_try", business_name: "Аккаунт для вашей пробы" },
      board: { id: "400000000002", name: "Доска для вашей пробы" },
    },
  },
  wordpress: {
    authRef: "demo-site-editor",
    channelId: "00000000-0000-7000-8000-000000050001",
    site: "molva-blog",
    title: "Выходные с Молвой",
    tagline: "Маршруты, рецепты и вечера без спешки",
    login: "anna",
    author: "Анна Смирнова",
    appPassword: "molvaDEMO1234siteBLOG567",
    /** For people who try to add their own site; the guide gives the login and the password. */
    spare: {
      site: "my-site",
      title: "Сайт для вашей пробы",
      login: "me",
      appPassword: "molvaDEMO1234yourSITE567",
    },
  },
} as const;
