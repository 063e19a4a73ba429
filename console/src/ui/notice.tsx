import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import "./notice.css";

const icons = { good: CircleCheck, warn: TriangleAlert, bad: CircleAlert };

interface Props {
  readonly tone: keyof typeof icons;
  readonly title?: string;
  readonly children?: ReactNode;
}

/** Something a person should read now; screen readers say it aloud. */
export function Notice({ tone, title, children }: Props) {
  const Icon = icons[tone];
  return (
    <div className={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <Icon aria-hidden="true" />
      <div>
        {title && <strong>{title}</strong>}
        {children}
      </div>
    </div>
  );
}
