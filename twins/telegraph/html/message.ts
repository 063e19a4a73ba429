import { escapeHtml } from "../../shared/index.ts";
import { frameHtml } from "./frame.ts";

export function messageHtml(title: string, text: string): string {
  return frameHtml(
    title,
    `<main><h1>${escapeHtml(title)}</h1><article><p>${escapeHtml(text)}</p></article></main>`,
  );
}
