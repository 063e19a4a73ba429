import { beginConnecting } from "./begin-connecting.ts";
import { beginCheck, beginReconnecting, checkFlow, removeAsked, removeNow } from "./connection-actions.ts";
import { connectionCard } from "./connection-card.ts";
import { connectionList, connectionListPage } from "./connection-list.ts";
import { pinterestFlow, pinterestLate } from "./pinterest-flow.ts";
import { platformMenu, siteLink } from "./platform-menu.ts";
import { beginSiteField, siteFieldFlow } from "./site-field.ts";
import { siteSettingsScreens } from "./site-settings.ts";
import { telegramFlow } from "./telegram-flow.ts";
import { vkFlow } from "./vk-flow.ts";
import { wordpressFlow } from "./wordpress-flow.ts";

export const connectionFlows = [
  ...[wordpressFlow, telegramFlow, vkFlow, pinterestFlow],
  ...[checkFlow, siteFieldFlow],
] as const;

export const connectionScreens = [
  ...[connectionList, connectionListPage, connectionCard, beginConnecting, pinterestLate],
  ...[beginCheck, beginReconnecting, removeAsked, removeNow],
  ...[...siteSettingsScreens, beginSiteField],
  ...[platformMenu, siteLink],
] as const;
