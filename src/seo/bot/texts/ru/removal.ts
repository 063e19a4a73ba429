import { counted } from "../../../../kernel/words/index.ts";

export const removal = {
  title: "удаление",
  deleting: "Удаляю…",
  done: "Удалено.",
  returned: (tokens: string) => `Токены за черновики возвращены: +${tokens}.`,
  failed: "Удалить не получилось, всё осталось на месте. Попробуйте ещё раз.",
  yes: "Да, удалить",
  losses: {
    title: "При этом удалятся:",
    nothing: "Больше ничего при этом не удалится.",
    categories: (count: number) =>
      counted(count, { one: "категория", few: "категории", many: "категорий", other: "категории" }, "ru"),
    phrases: (count: number) =>
      counted(
        count,
        {
          one: "ключевая фраза",
          few: "ключевые фразы",
          many: "ключевых фраз",
          other: "ключевой фразы",
        },
        "ru",
      ),
    connections: (count: number) =>
      counted(
        count,
        { one: "подключение", few: "подключения", many: "подключений", other: "подключения" },
        "ru",
      ),
    schedules: (count: number) =>
      counted(count, { one: "расписание", few: "расписания", many: "расписаний", other: "расписания" }, "ru"),
    drafts: (count: number) =>
      counted(count, { one: "черновик", few: "черновика", many: "черновиков", other: "черновика" }, "ru"),
    returned: (tokens: string) => `За черновики вернётся ${tokens}.`,
  },
};
