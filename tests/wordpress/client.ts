/** A site to send requests to: the real one or the twin's, as the same person in each. */
export interface SiteUnderTest {
  readonly url: string;
  readonly users: Readonly<Record<string, { readonly login: string; readonly password: string }>>;
}

export interface Asked {
  /** A role; a stranger without it. */
  readonly as?: string;
  readonly json?: unknown;
  readonly body?: Uint8Array | FormData | string;
  readonly headers?: Record<string, string>;
}

export interface Answered {
  readonly status: number;
  /** Parsed JSON, whose shape is what scenarios look at; the text when it is none. */
  readonly body: ReturnType<typeof JSON.parse>;
  readonly headers: Headers;
}

export type Client = (method: string, path: string, asked?: Asked) => Promise<Answered>;

/** Speaks to a site; its address is replaced by `SITE` in what comes back, so that two sites can be compared. */
export function clientOf({ url, users }: SiteUnderTest): Client {
  return async (method, path, { as, json, body, headers = {} } = {}) => {
    const user = as === undefined ? undefined : users[as];
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: "manual",
      headers: {
        ...(user && { authorization: basic(user.login, user.password) }),
        ...(json !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(body !== undefined && { body: body instanceof Uint8Array ? new Uint8Array(body) : body }),
    });
    const text = (await response.text())
      .replaceAll(url, "SITE")
      .replaceAll(JSON.stringify(url).slice(1, -1).replaceAll("/", "\\/"), "SITE");
    return { status: response.status, body: parsed(text), headers: response.headers };
  };
}

export function basic(login: string, password: string): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
