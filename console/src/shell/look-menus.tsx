/** The two choices that are offered before and after signing in. */
import { Monitor, Moon, Sun } from "lucide-react";
import { type Locale, locale, locales, theme, themes } from "../preferences/index.ts";
import { useTexts } from "../texts/index.ts";
import { Menu, MenuItem } from "../ui/index.ts";

/** Each language is named in itself, for those who cannot read the other. */
const languageNames: Record<Locale, string> = { ru: "Русский", en: "English" };

const themeIcons = { system: Monitor, light: Sun, dark: Moon };

export function LanguageMenu() {
  const { bar } = useTexts();
  const current = locale.use();
  return (
    <Menu label={`${bar.language}: ${current.toUpperCase()}`} trigger={<span>{current.toUpperCase()}</span>}>
      {locales.map((language) => (
        <MenuItem key={language} chosen={language === current} onChoose={() => locale.set(language)}>
          <span lang={language}>{languageNames[language]}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}

export function ThemeMenu() {
  const { bar } = useTexts();
  const current = theme.use();
  const Current = themeIcons[current];
  return (
    <Menu label={bar.theme} trigger={<Current aria-hidden="true" />}>
      {themes.map((name) => {
        const Icon = themeIcons[name];
        return (
          <MenuItem
            key={name}
            icon={<Icon aria-hidden="true" />}
            chosen={name === current}
            onChoose={() => theme.set(name)}
          >
            {bar.themes[name]}
          </MenuItem>
        );
      })}
    </Menu>
  );
}
