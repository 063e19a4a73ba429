import { useTexts } from "../texts/index.ts";
import "./platform.css";

/** A platform by the name people know; one we do not know yet keeps the name the server gives. */
export function Platform({ name }: { name: string }) {
  const known: Readonly<Record<string, string>> = useTexts().platforms;
  return (
    <span className={`platform platform-${name in known ? name : "other"}`}>
      <span className="dot square" aria-hidden="true" />
      {known[name] ?? name}
    </span>
  );
}
