export interface FoundChromium {
  readonly executablePath: string;
  /** What the browser needs besides the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
}

export function ensureChromium(
  unpacking?: (unpack: () => Promise<void>) => Promise<void>,
): Promise<FoundChromium>;
export function systemChromium(): FoundChromium | undefined;
export function packagedChromium(): FoundChromium | undefined;
export function unpackChromium(): Promise<void>;
