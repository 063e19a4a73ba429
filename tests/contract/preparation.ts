import type { PlatformName } from "../../src/platforms/index.ts";

/** How one platform's twin is prepared for the contract tests: what a new platform brings in a folder of its name. */
export interface Preparation {
  readonly token: string;
  readonly targetId: string;
  /** Bodies for the twin's control API, which make a bot and a channel it may post to. */
  readonly bot: object;
  readonly chat: object;
  /** The twin's own options, as posting is to be tested. */
  readonly options?: { readonly path: string; readonly body: object };
  /** The names by which fault scripts know the calls that post a text, a photo, and the second part of a series. */
  readonly methods: { readonly text: string; readonly photo: string; readonly secondPart: string };
  /** What is asked of the provider for a photo, a document and an audio one after another, uploads included. */
  readonly requestsOfSeries: number;
  /** The largest files that are taken, by kind. */
  readonly largestFiles: readonly { readonly kind: "photo" | "document"; readonly bytes: number }[];
  /** A picture of the largest measures, and one that is a pixel beyond them. */
  readonly pictures: { readonly largest: Size; readonly beyond: Size };
  /** States of the channel that `check` must tell apart: how the twin gets there, and what is found. */
  readonly troubles: readonly Trouble[];
}

type Size = readonly [width: number, height: number];

export interface Trouble {
  readonly name: string;
  readonly token?: string;
  readonly targetId?: string;
  /** A call of the twin's control API. */
  readonly control?: { readonly method: string; readonly path: string; readonly body: object };
  readonly step: string;
  readonly finding: string;
}

/** The platform's folder speaks for it; a platform without one has not been prepared. */
export async function preparationOf(name: PlatformName): Promise<Preparation> {
  const { preparation }: { preparation: Preparation } = await import(`./${name}/preparation.ts`);
  return preparation;
}
