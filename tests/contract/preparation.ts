import type { MediaKind } from "../../src/content/index.ts";
import type { Credential, PlatformName } from "../../src/platforms/index.ts";

/** How one platform's twin is set up for the contract tests; a new platform adds a folder of its name. */
export interface Preparation {
  readonly credential: Credential;
  /** The same fields with wrong values. */
  readonly wrongCredential: Credential;
  readonly targetId: string;
  /** The twin's name of the place, if it is not the target. */
  readonly shownAt?: string;
  /** A target that does not exist. */
  readonly absentTarget: string;
  /** What the platform does not support: tests about it are skipped. */
  readonly without?: readonly Feature[];
  /** Bodies for the twin's control API, which make a bot and a channel it may post to. */
  readonly bot?: object;
  readonly chat?: object;
  /** The same in several calls, for platforms without bots and chats. */
  readonly world?: readonly ControlCall[];
  /** The twin's own options, as posting is to be tested. */
  readonly options?: { readonly path: string; readonly body: object };
  /**
   * What a server error says about a post. `in_doubt`: it may have arrived, and only reading back can tell, because the
   * provider does not detect repeats. Otherwise nothing arrived, or a repeat does no harm.
   */
  readonly serverErrors?: "in_doubt";
  /** The names of the calls that post a text, a photo, and the second part of a series, in fault scripts. */
  readonly methods: {
    readonly text: string;
    readonly photo: string;
    readonly secondPart?: string;
    /** The call that takes a file, where it has a name of its own. */
    readonly upload?: string;
    /** The calls that change a post and take it back. */
    readonly edit?: string;
    readonly remove?: string;
  };
  /** The call that lets the account change posts, if that needs a right. */
  readonly mayEdit?: ControlCall;
  /** The number of requests for a photo, a document and an audio one after another, uploads included. */
  readonly requestsOfSeries?: number;
  /** The largest files that are taken, by kind. */
  readonly largestFiles: readonly {
    readonly kind: "photo" | "document";
    readonly bytes: number;
    /** Of a picture that may stay as it is. */
    readonly size?: Size;
  }[];
  /** A picture of the largest measures, and one that is a pixel beyond them. */
  readonly pictures: {
    readonly largest: Size;
    readonly beyond: Size;
    /** The result of 120×90, if pictures are cropped. */
    readonly cropped?: Size;
  };
  /** The steps of `check` when all is well, and what an outage looks like; those of a bot's channel unless given. */
  readonly checked?: {
    readonly steps: readonly string[];
    readonly account: string;
    readonly outage: { readonly step: string; readonly finding: string };
  };
  /** States of the channel that `check` must distinguish: how to set up the twin, and the finding. */
  readonly troubles: readonly Trouble[];
}

/** What not every platform carries. A kind stands for files of that kind. */
export type Feature =
  | "marks"
  | "buttons"
  | "album"
  | "series"
  | "silence"
  | "replies"
  | "split"
  /** Lists become lines, and captions of pictures are lost. */
  | "lossy_lists"
  /** Readers are shown that a post was changed. */
  | "edit_marks"
  /** The provider says how long to wait. */
  | "waits"
  /** An uploaded file can be sent again by the provider's reference. */
  | "references"
  | Exclude<MediaKind, "photo">;

type Size = readonly [width: number, height: number];

export interface ControlCall {
  readonly path: string;
  readonly body: object;
}

export interface Trouble {
  readonly name: string;
  readonly credential?: Credential;
  readonly targetId?: string;
  /** A call of the twin's control API. */
  readonly control?: { readonly method: string; readonly path: string; readonly body: object };
  readonly step: string;
  readonly finding: string;
}

/** What makes an account and a place to post at the twin. */
export function worldOf(name: PlatformName, { bot, chat, world }: Preparation): readonly ControlCall[] {
  if (world) return world;
  if (!bot || !chat) throw new Error(`nobody has prepared where ${name} may post`);
  return [
    { path: `/${name}/bots`, body: bot },
    { path: `/${name}/chats`, body: chat },
  ];
}

/** Loads the platform's folder; a platform without one is not prepared. */
export async function preparationOf(name: PlatformName): Promise<Preparation> {
  const { preparation }: { preparation: Preparation } = await import(`./${name}/preparation.ts`);
  return preparation;
}

export function carries({ without = [] }: Preparation, ...features: readonly Feature[]): boolean {
  return features.every((feature) => !without.includes(feature));
}
