import { counted } from "../../../../kernel/words/index.ts";

const count = (n: number, one: string, few: string, many: string) =>
  counted(n, { one, few, many, other: few }, "ru");

/** Automatic messages, and their switches in the administration. */
export const notices = {
  low_balance: {
    text: ({ balance, posts }: { balance: number; posts: number }) =>
      `Баланс: ${count(balance, "токен", "токена", "токенов")}. Этого хватит на ~${count(posts, "пост", "поста", "постов")}.`,
    button: "Пополнить",
  },
  weekly_digest: {
    text: ({ publications, tokens, best }: { publications: number; tokens: number; best: string | null }) =>
      `За неделю: ${count(publications, "публикация", "публикации", "публикаций")}, ${count(tokens, "токен", "токена", "токенов")}.${best === null ? "" : ` Топ-статья: ${best}`}`,
    button: "Главное меню",
  },
  reactivation: {
    text: ({ paused }: { paused: boolean }): string =>
      paused ? "Давно не виделись! Ваши расписания на паузе." : "Давно не виделись!",
    button: "Вернуться в бота",
  },
  switches: {
    title: "Автоматические сообщения\n\nНажмите, чтобы включить или выключить.",
    open: "Автосообщения",
    names: {
      low_balance: "Мало токенов, ежедневно в 10:00",
      weekly_digest: "Итоги недели, Пн в 9:00",
      reactivation: "Давно не были, Ср в 11:00",
    },
    state: (on: boolean): string => (on ? "ВКЛ" : "ВЫКЛ"),
  },
};
