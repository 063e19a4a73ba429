/** The parameters of a path that fits a pattern such as `/channels/:id`; null when it does not fit. */
export function paramsOf(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const parts = pattern.split("/");
  const given = path.split("/");
  if (parts.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    const value = given[at] ?? "";
    if (!part.startsWith(":")) {
      if (part !== value) return null;
    } else if (value === "") return null;
    else params[part.slice(1)] = decoded(value);
  }
  return params;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
