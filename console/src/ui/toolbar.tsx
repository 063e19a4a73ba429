import { Search } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import "./toolbar.css";

/** A row of filters and actions above a list. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className="toolbar">{children}</div>;
}

const restMs = 250;

interface SearchProps {
  readonly label: string;
  readonly value: string;
  /** Called when the person pauses, or presses Enter. */
  readonly onSearch: (text: string) => void;
}

export function SearchField({ label, value, onSearch }: SearchProps) {
  const [text, setText] = useState(value);
  const search = useRef(onSearch);
  search.current = onSearch;
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => search.current(text.trim()), restMs);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <span className="search-field">
      <Search aria-hidden="true" />
      <input
        type="search"
        className="input"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && onSearch(text.trim())}
      />
    </span>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly title: string }[];
  readonly onChoose: (value: Value) => void;
}

/** One filter of a list: a select without a visible label, because its first choice says what it filters. */
export function FilterField<Value extends string>({ label, value, choices, onChoose }: ChoiceProps<Value>) {
  return (
    <select
      className="input filter-field"
      aria-label={label}
      value={value}
      onChange={(event) => {
        const chosen = choices.find((choice) => choice.value === event.target.value);
        if (chosen) onChoose(chosen.value);
      }}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.title}
        </option>
      ))}
    </select>
  );
}
