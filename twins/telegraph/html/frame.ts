import { escapeHtml } from "../../shared/index.ts";
import { style } from "./style.ts";

/** A page with a title and content. */
export function frameHtml(title: string, body: string, head = ""): string {
  return `<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Telegraph</title>
${head}<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}
