import { cut } from "../../../kernel/words/index.ts";
import type { SeoConnection } from "../../connections/shape.ts";
import { platformNames } from "../../settings/platform-names.ts";

type Place = Pick<SeoConnection, "platform_type" | "title" | "identifier">;

/** A site by its address, a channel by its name, a community or a board by its title. */
export function placeName({ platform_type, title, identifier }: Place): string {
  const isReadable = platform_type === "wordpress" || identifier.startsWith("@");
  return cut(isReadable ? identifier : (title ?? identifier), 60);
}

/** `Telegram: @shop_news` */
export const connectionName = (connection: Place): string =>
  `${platformNames[connection.platform_type]}: ${placeName(connection)}`;

/** Where readers find it; undefined if its address is unknown. */
export function placeUrl({ platform_type, identifier }: SeoConnection): string | undefined {
  if (platform_type === "wordpress") return `https://${identifier}`;
  if (platform_type === "telegram" && identifier.startsWith("@"))
    return `https://t.me/${identifier.slice(1)}`;
  if (platform_type === "vk" && /^\d+$/.test(identifier)) return `https://vk.com/club${identifier}`;
  return undefined;
}
