/** What the owner of a site does so that we may read its figures. */
import { z } from "zod";
import type { Said } from "../said.ts";
import type { Sources } from "../sources/index.ts";
import type { Engine } from "./rules.ts";

export const shareSchema = z
  .object({
    account: z
      .string()
      .nullable()
      .describe("Whom to give access to; null if it is not set up: support knows"),
    ru: z.string(),
    en: z.string(),
  })
  .meta({ id: "SeoSharing" });
export type Share = z.infer<typeof shareSchema>;

export const sourceOf = { google: "searchconsole", yandex: "webmaster" } as const satisfies Record<
  Engine,
  keyof Sources["readers"]
>;

interface Known {
  readonly engine: Engine;
  readonly site: string;
  readonly is_shared: boolean;
  readonly problem: string | null;
}

/** Null if the engine lets us read the site, or fails for another reason. */
export function shareOf(
  { engine, site, is_shared, problem }: Known,
  readers: Sources["readers"],
): Share | null {
  if (is_shared && problem !== "refused") return null;
  const account = readers[sourceOf[engine]];
  return {
    account: account ?? null,
    ...(account === undefined ? unknown(engine, site) : how[engine](site, account)),
  };
}

const how: Readonly<Record<Engine, (site: string, account: string) => Said>> = {
  google: (site, account) => ({
    ru: `Google: откройте ресурс ${site} в Search Console → Настройки → Пользователи и разрешения → Добавить пользователя. Адрес: ${account}, разрешение «Ограниченный».`,
    en: `Google: open the property ${site} in Search Console → Settings → Users and permissions → Add user. Address: ${account}, permission “Restricted”.`,
  }),
  yandex: (site, account) => ({
    ru: `Яндекс: откройте сайт ${site} в Вебмастере → Настройки → Права доступа → Делегировать права. Логин: ${account}.`,
    en: `Yandex: open the site ${site} in Webmaster → Settings → Access rights → Delegate rights. Login: ${account}.`,
  }),
};

const unknown = (engine: Engine, site: string): Said =>
  engine === "google"
    ? {
        ru: `Google: добавьте наш аккаунт к ресурсу ${site} в Search Console. Его адрес подскажет поддержка.`,
        en: `Google: add our account to the property ${site} in Search Console. Support tells its address.`,
      }
    : {
        ru: `Яндекс: делегируйте нам права на сайт ${site} в Вебмастере. Логин подскажет поддержка.`,
        en: `Yandex: delegate the site ${site} to us in Webmaster. Support tells the login.`,
      };
