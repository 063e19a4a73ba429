/** A demo that uses all features of flows: ordering a parcel. */
import { z } from "zod";
import { flowsOf, type StepContext } from "../flow/flow.ts";
import { amount, reading, text } from "../flow/inputs.ts";

export interface ParcelServices {
  /** Throws if the courier cannot be reached. */
  order(id: string, data: ParcelData): Promise<{ number: string } | { refused: string }>;
  readonly left: string[];
}

const parcelData = z.object({
  size: z.string(),
  extras: z.array(z.string()),
  weight: z.number().nullable(),
  address: z.string(),
  code: z.string(),
  photo: z.string(),
});
export type ParcelData = z.infer<typeof parcelData>;

const flow = flowsOf<ParcelServices>();
const both = (ru: string, en: string) => ({ ru, en });
const extras = ["box", "tape", "card"];

export const menu = flow({
  name: "Menu",
  title: both("меню", "the menu"),
  data: z.object({}),
  empty: {},
  first: "menu",
  entries: { commands: { start: { to: "menu", interrupts: true } } },
  rivals: "yield",
  inactivity: "never",
  states: {
    menu: {
      ask: both("Что сделаем?", "What shall we do?"),
      buttons: { parcel: { label: both("Посылка", "A parcel"), to: "flow:Parcel" } },
      links: [{ label: both("Тарифы", "Prices"), url: () => "https://example.com/prices" }],
      noBack: true,
    },
  },
});

export const parcel = flow({
  name: "Parcel",
  title: both("посылка", "a parcel"),
  data: parcelData,
  empty: { size: "", extras: [], weight: null, address: "", code: "", photo: "" },
  first: "size",
  entries: {
    commands: {
      parcel: { to: "size" },
      "start:address_": { to: "weight", begin: (argument) => ({ address: argument.slice(8), size: "s" }) },
    },
    media: { photo: { to: "size", begin: ({ fileId = "" }) => ({ photo: fileId }) } },
  },
  inactivity: {
    minutes: 30,
    text: both("Сессия истекла. Начните заново.", "Time is up. Please start again."),
  },
  cancelled: both("Посылка отменена.", "The parcel is cancelled."),
  async leave({ services }, why) {
    services.left.push(why);
  },
  states: {
    size: {
      ask: both("Какого размера посылка?", "How large is the parcel?"),
      buttons: {
        s: { label: both("Малая", "Small"), row: 1, to: "extras", press: () => ({ data: { size: "s" } }) },
        l: { label: both("Большая", "Large"), row: 1, to: "extras", press: () => ({ data: { size: "l" } }) },
      },
    },
    extras: {
      ask: ({ extras: chosen }, language) =>
        `${language === "ru" ? "Что добавить" : "What to add"}? ${chosen.join(", ")}`,
      buttons: {
        extra: {
          label: both("", ""),
          to: "@stay",
          each: ({ extras: chosen }) =>
            extras.map((arg) => ({ arg, label: `${chosen.includes(arg) ? "✓ " : ""}${arg}` })),
          press: ({ data }, arg) => ({
            data: {
              extras: data.extras.includes(arg)
                ? data.extras.filter((one) => one !== arg)
                : [...data.extras, arg],
            },
          }),
        },
        done: {
          label: both("Готово", "Done"),
          to: "weight",
          press: ({ data, language }) =>
            data.extras.length > 0
              ? {}
              : { refuse: language === "ru" ? "Выберите хотя бы одно." : "Choose at least one." },
        },
      },
    },
    weight: {
      ask: both("Сколько весит?", "How heavy is it?"),
      place: "edit",
      text: reading(
        amount({ min: 0.1, max: 30, refusal: both("Напишите вес от 0,1 до 30 кг.", "Give 0.1 to 30 kg.") }),
        ["address", "confirm"],
        (weight, { data }: StepContext<ParcelData, ParcelServices>) => ({
          data: { weight },
          to: data.address === "" ? "address" : "confirm",
        }),
      ),
      buttons: {
        skip: {
          label: both("Пропустить", "Skip"),
          to: "address",
          when: ({ address }) => address === "",
        },
      },
    },
    address: {
      ask: both("Куда везти?", "Where to?"),
      text: reading(
        text({
          min: 5,
          max: 200,
          refusal: both("Адрес от 5 до 200 символов.", "An address of 5 to 200 characters."),
        }),
        "code",
        (address) => ({ data: { address } }),
      ),
    },
    code: {
      ask: both("Код домофона?", "The door code?"),
      text: { to: "photo", secret: true, take: (_, code) => ({ data: { code } }) },
    },
    photo: {
      ask: both("Пришлите фото или голос.", "Send a photo or a voice message."),
      media: {
        photo: { to: "confirm", take: (_, { fileId = "" }) => ({ data: { photo: fileId } }) },
        voice: { to: "confirm", take: () => ({ notice: "🎤" }) },
      },
    },
    confirm: {
      ask: ({ address }, language) => `${language === "ru" ? "Заказать" : "Order"}: ${address}?`,
      place: "fresh",
      buttons: {
        yes: { label: both("Да", "Yes"), to: "ordering" },
        edit: { label: both("Изменить", "Change"), to: "@back" },
      },
    },
    ordering: {
      ask: both("Заказываю…", "Ordering…"),
      attempts: 2,
      to: ["@end", "flow:Menu"],
      async work({ id, data, services, language }) {
        const ordered = await services.order(id, data);
        if ("refused" in ordered) return { refuse: ordered.refused };
        const number = `${language === "ru" ? "Номер" : "Number"} ${ordered.number}`;
        return data.size === "s" ? { to: "@end", notice: number } : { to: "flow:Menu", say: [number] };
      },
      failed: {
        to: "confirm",
        text: both("Курьер не отвечает. Попробуйте позже.", "The courier does not answer. Try later."),
        async settle({ services }) {
          services.left.push("refund");
        },
      },
    },
  },
});

export const survey = flow({
  name: "Survey",
  title: both("опрос", "a survey"),
  data: z.object({ opinion: z.string() }),
  empty: { opinion: "" },
  first: "opinion",
  entries: {
    commands: { survey: { to: "opinion" } },
    text: { to: "opinion", begin: (opinion) => ({ opinion }) },
  },
  rivals: "replace",
  inactivity: { minutes: 5, text: both("Опрос закрыт.", "The survey is closed.") },
  states: {
    opinion: {
      ask: ({ opinion }, language) => `${language === "ru" ? "Ваше мнение" : "Your opinion"}: ${opinion}`,
      buttons: { send: { label: both("Отправить", "Send"), to: "@end" } },
      text: { to: "@stay", take: (_, opinion) => ({ data: { opinion } }) },
    },
  },
});
