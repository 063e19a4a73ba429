import { z } from "zod";
import { parsedUrl } from "../../kernel/url/index.ts";
import { type Field, field, nameField, textOf } from "./field.ts";

/** The limits of creation are the document's; fields of the card hold 2 to 500 characters, or as many as their column takes. */
const creation = {
  name: nameField,
  company_name: field(
    { ru: "Компания", en: "Company" },
    { ru: "Введите название от 2 до 200 символов", en: "Give a name of 2 to 200 characters" },
    (error) => textOf({ min: 2, max: 200 }, error),
  ),
  specialization: field(
    { ru: "Специализация", en: "Specialisation" },
    { ru: "Опишите подробнее (мин. 5 символов)", en: "Say more about it: 5 to 500 characters" },
    (error) => textOf({ min: 5, max: 500, lines: true }, error),
  ),
  website_url: field(
    { ru: "Сайт", en: "Site" },
    {
      ru: "Введите корректный URL или нажмите Пропустить",
      en: "Give the address of a site, such as https://example.com, or leave it out",
    },
    siteUrl,
  ),
} as const satisfies Record<string, Field>;

const card = {
  company_city: cardText("Город", "City", 255),
  company_address: cardText("Адрес", "Address", 500),
  company_phone: cardField("Телефон", "Phone", (error) =>
    z
      .string()
      .trim()
      .max(50, error)
      .regex(/^\+?[\d\s().-]+$/, error)
      .refine((typed) => digitsIn(typed) >= 5 && digitsIn(typed) <= 15, error),
  ),
  company_email: cardField("E-mail", "E-mail", (error) =>
    z.string().trim().max(255, error).pipe(z.email(error)),
  ),
  company_instagram: cardText("Instagram", "Instagram", 255),
  company_vk: cardText("ВКонтакте", "VK", 255),
  company_pinterest: cardText("Pinterest", "Pinterest", 255),
  company_telegram: cardText("Telegram", "Telegram", 255),
  experience: cardText("Опыт", "Experience", 500),
  advantages: cardText("Преимущества", "Advantages", 500),
  description: cardText("Описание", "Description", 500),
} as const satisfies Record<string, Field>;

/** The 15 fields of a project, in the order in which people are asked. */
export const projectFields = { ...creation, ...card } as const;
export type ProjectField = keyof typeof projectFields;
export const projectFieldNames: readonly ProjectField[] = Object.keys(projectFields).filter(isProjectField);

export function isProjectField(name: string): name is ProjectField {
  return Object.hasOwn(projectFields, name);
}

function cardText(ru: string, en: string, max: number): Field {
  return cardField(ru, en, (error) => textOf({ min: 2, max, lines: true }, error));
}

function cardField(ru: string, en: string, schema: (error: string) => z.ZodType<string, string>): Field {
  const fault = { ru: `Некорректный формат для поля ${ru}`, en: `This cannot be the field ${en}` };
  return field({ ru, en }, fault, schema);
}

/** An address on the web; https unless another scheme is given. */
export function siteUrl(error: string): z.ZodType<string, string> {
  return z.string().transform((typed, context) => {
    const text = typed.trim();
    const url = parsedUrl(
      /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/]*:\d/.test(text) ? text : `https://${text}`,
    );
    const isSite =
      url &&
      /^https?:$/.test(url.protocol) &&
      url.username === "" &&
      url.password === "" &&
      /^[^.\s].*\.[^.\s]+$/.test(url.hostname);
    const address = isSite ? url.href.replace(/\/$/, "") : "";
    if (isSite && !/\s/.test(text) && address.length <= 500) return address;
    context.addIssue(error);
    return z.NEVER;
  });
}

const digitsIn = (text: string) => text.replace(/\D/g, "").length;
