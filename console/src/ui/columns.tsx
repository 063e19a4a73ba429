import type { ReactNode } from "react";
import "./columns.css";

/** Cards beside each other where the width allows, and below each other where it does not. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className="columns">{children}</div>;
}
