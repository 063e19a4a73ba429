import type { CSSProperties } from "react";
import "./skeleton.css";

/** Holds the place of what is still loading, in the size it will have. */
export function Skeleton({ width = "100%", height }: { width?: CSSProperties["width"]; height: number }) {
  return <span className="skeleton" aria-hidden="true" style={{ width, height }} />;
}
