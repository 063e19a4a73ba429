import { CircleAlert, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

interface Props {
  readonly tone: "bad" | "warn";
  readonly title: ReactNode;
  readonly hint?: ReactNode;
  readonly detail?: ReactNode;
  readonly actions?: ReactNode;
}

/** One matter: what is wrong, what helps, and the button that helps. */
export function AttentionRow({ tone, title, hint, detail, actions }: Props) {
  const Icon = tone === "bad" ? CircleAlert : TriangleAlert;
  return (
    <li className={`attention-row ${tone}`}>
      <Icon aria-hidden="true" />
      <div>
        <p className="attention-title">{title}</p>
        {hint && <p className="attention-hint">{hint}</p>}
        {detail && <p className="attention-detail">{detail}</p>}
      </div>
      <div className="attention-actions">{actions}</div>
    </li>
  );
}
