/** What this page is, in one line, and the two switches. */
import { Monitor, Moon, Sun } from "lucide-react";
import logo from "../icon.svg";
import { themes, useSettings } from "../settings.tsx";

const themeIcons = { system: Monitor, light: Sun, dark: Moon };

export function Header() {
  const { texts, language, theme, setLanguage, setTheme } = useSettings();
  const ThemeIcon = themeIcons[theme];
  const nextTheme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
  return (
    <header className="header">
      <img className="header-logo" src={logo} alt="" />
      <h1>{texts.title}</h1>
      <p>{texts.about}</p>
      <div className="header-switches">
        <button
          type="button"
          className="icon-button header-language"
          onClick={() => setLanguage(language === "ru" ? "en" : "ru")}
          title={texts.language}
          aria-label={texts.language}
        >
          {language === "ru" ? "EN" : "RU"}
        </button>
        <button
          type="button"
          className="icon-button"
          onClick={() => setTheme(nextTheme)}
          title={texts.theme[theme]}
          aria-label={texts.theme[theme]}
        >
          <ThemeIcon size={18} />
        </button>
      </div>
    </header>
  );
}
