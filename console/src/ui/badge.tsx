import type { ReactNode } from "react";
import "./badge.css";

export type Tone = "good" | "warn" | "bad" | "busy" | "idle";

/** A state in a word or two. The colour repeats what the words say. */
export function Badge({ tone, title, children }: { tone: Tone; title?: string; children: ReactNode }) {
  return (
    <span className={`badge ${tone}`} title={title}>
      {children}
    </span>
  );
}
