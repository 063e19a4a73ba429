/** The text of one member of a JSON object, exactly as it was sent: escapes and spaces count against limits. */
export function rawMember(json: string, name: string): string | undefined {
  let depth = 0;
  let key: string | undefined;
  let start = -1;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at];
    if (sign === '"') {
      const end = endOfString(json, at);
      if (depth === 1 && start < 0) key = String(JSON.parse(json.slice(at, end)));
      at = end - 1;
    } else if (sign === "{" || sign === "[") depth += 1;
    else if (depth === 1 && sign === ":" && start < 0) start = at + 1;
    else if (depth === 1 && (sign === "," || sign === "}")) {
      if (key === name && start >= 0) return json.slice(start, at).trim();
      start = -1;
      depth -= sign === "}" ? 1 : 0;
    } else if (sign === "}" || sign === "]") depth -= 1;
  }
  return undefined;
}

function endOfString(json: string, opening: number): number {
  let at = opening + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at + 1;
}
