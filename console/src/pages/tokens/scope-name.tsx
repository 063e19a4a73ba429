import { useTexts } from "../../texts/index.ts";
import "./scope-name.css";

/** A right by the name people know, explained on hover; an unknown one keeps its own name. */
export function ScopeName({ scope }: { scope: string }) {
  const known: Readonly<Record<string, { name: string; hint: string }>> = useTexts().tokens.scope;
  return (
    <span className="scope-name" title={known[scope]?.hint}>
      {known[scope]?.name ?? scope}
    </span>
  );
}
