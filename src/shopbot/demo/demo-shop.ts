export const demoShop = {
  authRef: "demo-shop-bot",
  username: "romashka_shop_bot",
  title: "Магазин «Ромашка»",
  token: "molva-demo-shop-token",
  operators: { chatId: "-70100001", title: "Ромашка: сотрудники" },
} as const;
