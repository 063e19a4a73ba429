import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../../ui/index.ts";
import { useWords } from "../use-words.ts";

interface Props {
  readonly number: number;
  readonly current: number;
  readonly title: string;
  /** What was decided, once the step is behind. */
  readonly summary?: string | null | undefined;
  readonly onChange?: (() => void) | undefined;
  readonly children: ReactNode;
}

/** One step: open while it is the current one, a line before and after. */
export function Step({ number, current, title, summary, onChange, children }: Props) {
  const { wizard } = useWords();
  const isOpen = number === current;
  const isDone = number < current;
  return (
    <li
      className={isOpen ? "card wizard-step open" : "card wizard-step"}
      aria-current={isOpen ? "step" : undefined}
    >
      <header>
        <span className={isDone ? "wizard-number done" : "wizard-number"} aria-hidden="true">
          {isDone ? <Check /> : number}
        </span>
        <h2>{title}</h2>
        {isDone && <span className="wizard-summary">{summary}</span>}
        {isDone && onChange && (
          <Button look="quiet" onClick={onChange} aria-label={wizard.changeOf(title)}>
            {wizard.change}
          </Button>
        )}
      </header>
      {isOpen && <div className="wizard-body form">{children}</div>}
    </li>
  );
}
