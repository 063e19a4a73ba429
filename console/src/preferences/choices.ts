/** The choices themselves: language, theme, workspace. */
import { isLocale, preferredLocale } from "./locale.ts";
import { stored } from "./stored.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const locale = stored(
  "molva.locale",
  (text) => (isLocale(text) ? text : preferredLocale(navigator.languages)),
  (chosen) => {
    document.documentElement.lang = chosen;
  },
);

export const theme = stored<Theme>(
  "molva.theme",
  (text) => themes.find((known) => known === text) ?? "system",
  (chosen) => {
    document.documentElement.dataset.theme = chosen;
  },
);

/** The id of the workspace looked at last; empty before the first choice. */
export const workspaceId = stored<string>("molva.workspace", (text) => text ?? "");
