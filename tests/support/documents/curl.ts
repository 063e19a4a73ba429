/** The part of curl that the documents use, so that their commands run where curl is not installed. */

export interface CurlAnswer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Options without a value; those of `valued` take the next word. */
const flags = new Set(["-s", "-G"]);
const valued = new Set(["-X", "-H", "-d", "--data-urlencode"]);

/** Like `curl --fail`: a status of 400 or more is exit code 22. An unknown option is an error. */
export async function curl(args: readonly string[]): Promise<CurlAnswer> {
  const { url, method, headers, body } = requestOf(args);
  const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  const out = await answer.text();
  if (answer.status < 400) return { code: 0, out, err: "" };
  return { code: 22, out: "", err: `curl: ${method} ${url}: ${answer.status} ${out}` };
}

function requestOf(args: readonly string[]) {
  const headers = new Headers();
  const data: string[] = [];
  let url: string | undefined;
  let method: string | undefined;
  let inAddress = false;
  const words = args.flatMap(separated);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (flags.has(word)) inAddress ||= word === "-G";
    else if (valued.has(word)) {
      at += 1;
      const value = words[at];
      if (value === undefined) throw new Error(`curl: ${word} needs a value`);
      if (word === "-X") method = value;
      if (word === "-d") data.push(value);
      if (word === "--data-urlencode") data.push(encoded(value));
      if (word === "-H")
        headers.append(value.slice(0, value.indexOf(":")), value.slice(value.indexOf(":") + 1));
    } else if (word.startsWith("-") || url !== undefined) throw new Error(`curl: what is ${word}?`);
    else url = word;
  }
  if (url === undefined) throw new Error("curl: no address");
  const address = /^https?:/.test(url) ? url : `http://${url}`;
  const sent = data.join("&");
  if (inAddress) return { url: `${address}?${sent}`, method: method ?? "GET", headers, body: undefined };
  const posts = data.length > 0;
  return {
    url: address,
    method: method ?? (posts ? "POST" : "GET"),
    headers,
    body: posts ? sent : undefined,
  };
}

/** `-sX` is `-s -X`. */
function separated(word: string): string[] {
  return /^-[a-zA-Z]{2,}$/.test(word) ? [...word.slice(1)].map((letter) => `-${letter}`) : [word];
}

/** `name=content`, of which curl encodes the content. */
function encoded(value: string): string {
  const equals = value.indexOf("=");
  return `${value.slice(0, equals)}=${encodeURIComponent(value.slice(equals + 1))}`;
}
