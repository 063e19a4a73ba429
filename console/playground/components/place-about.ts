import type { Texts } from "../texts/index.ts";
import type { PlaceView } from "../types.ts";
import { providerName } from "./ProviderBadge.tsx";

/** `Telegraph · 3 страницы` */
export function placeAbout({ provider, items }: PlaceView, texts: Texts): string {
  const counted = texts.placeItems[provider] ?? texts.placeItems.other;
  return [providerName(provider, texts), items > 0 ? counted(items) : texts.placeEmpty].join(" · ");
}
