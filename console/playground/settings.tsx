/** The person's language and theme: taken from the browser, changed by a switch, remembered. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { type Language, type Texts, texts } from "./texts/index.ts";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export interface Settings {
  readonly language: Language;
  readonly theme: Theme;
  readonly texts: Texts;
  readonly setLanguage: (language: Language) => void;
  readonly setTheme: (theme: Theme) => void;
}

const SettingsContext = createContext<Settings | undefined>(undefined);

export function useSettings(): Settings {
  const settings = useContext(SettingsContext);
  if (!settings) throw new Error("useSettings is called outside SettingsProvider");
  return settings;
}

export function SettingsProvider({ children }: { children: ReactNode }) {
  const [language, setLanguage] = useRemembered("molva.twins.language", languageOf(navigator.language), [
    "ru",
    "en",
  ]);
  const [theme, setTheme] = useRemembered("molva.twins.theme", "system", themes);

  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);

  const settings = useMemo(
    () => ({ language, theme, texts: texts[language], setLanguage, setTheme }),
    [language, theme, setLanguage, setTheme],
  );
  return <SettingsContext value={settings}>{children}</SettingsContext>;
}

function languageOf(browser: string): Language {
  return browser.toLowerCase().startsWith("ru") ? "ru" : "en";
}

function useRemembered<T extends string>(name: string, first: T, allowed: readonly T[]) {
  const [value, setValue] = useState(() => allowed.find((one) => one === recall(name)) ?? first);
  const change = useMemo(
    () => (next: T) => {
      setValue(next);
      remember(name, next);
    },
    [name],
  );
  return [value, change] as const;
}

/** The browser may forbid storage; then the choice is not remembered. */
function recall(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

function remember(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Nothing else can be done.
  }
}
