import { parsedUrl } from "../../kernel/url/index.ts";
import { type Cluster, demandOf, type Phrase, phraseKey } from "../categories/clusters.ts";
import { clusterOf, typeOf } from "./clusters-from.ts";

/** The first results of a search by `phraseKey`: addresses in the form in which they are compared. */
export type Tops = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * How many of ten results two phrases share if one page can serve both. Tools that cluster by results offer three to five; three joins
 * too much where marketplaces fill the page, five leaves too many phrases alone.
 */
export const commonAddresses = 4;

export interface Confirmed {
  readonly clusters: Cluster[];
  /** Phrases that left the cluster where the model had put them. */
  readonly moved: number;
  /** Clusters that became part of another. */
  readonly merged: number;
}

/**
 * Corrects a model's clusters by what a search really shows (soft: every phrase is compared with the main phrase alone). The most wanted
 * phrases go first. A phrase stays with its cluster if both share enough results, else joins the cluster with which it shares most,
 * else begins one. So clusters whose main phrases share results become one. Phrases that were not searched for stay with the main
 * phrase of their cluster; a cluster whose main phrase was not searched for stays as it is.
 */
export function confirmClusters(clusters: readonly Cluster[], tops: Tops): Confirmed {
  const topOf = ({ phrase }: Phrase) => tops.get(phraseKey(phrase));
  const mains = new Map(clusters.flatMap((from) => checkedMain(from, tops)));
  const members = [...mains.keys()].flatMap((from) =>
    from.phrases.map((phrase): Member => ({ phrase, from })),
  );
  const searched = members
    .flatMap((member) => {
      const top = topOf(member.phrase);
      return top ? [{ ...member, top }] : [];
    })
    .toSorted((one, other) => demandOf(other.phrase) - demandOf(one.phrase));

  const groups: Group[] = [];
  const placeOf = new Map<Phrase, Group>();
  for (const member of searched) {
    const group = nearest(groups, member) ?? begun(groups, member, mains.get(member.from) === member.phrase);
    group.phrases.add(member.phrase);
    placeOf.set(member.phrase, group);
  }
  // A cluster goes where its main phrase is, with what was not searched for.
  const homeOf = (from: Cluster) => {
    const main = mains.get(from);
    return main && placeOf.get(main);
  };
  for (const { phrase, from } of members) if (!topOf(phrase)) homeOf(from)?.phrases.add(phrase);

  const made = groups.map(({ name, type, phrases }) =>
    clusterOf(
      name,
      type,
      members.flatMap(({ phrase }) => (phrases.has(phrase) ? [phrase] : [])),
    ),
  );
  return {
    clusters: [...made, ...clusters.filter((cluster) => !mains.has(cluster))],
    moved: searched.filter(({ phrase, from }) => placeOf.get(phrase) !== homeOf(from)).length,
    merged: mains.size - new Set([...mains.keys()].map(homeOf)).size,
  };
}

interface Member {
  readonly phrase: Phrase;
  /** The model's cluster. */
  readonly from: Cluster;
}

interface Searched extends Member {
  readonly top: ReadonlySet<string>;
}

interface Group {
  readonly from: Cluster;
  readonly name: string;
  readonly type: Cluster["cluster_type"];
  /** Of its first and most wanted phrase. */
  readonly top: ReadonlySet<string>;
  readonly phrases: Set<Phrase>;
}

/** The main phrase of a cluster, if it was searched for. */
function checkedMain(from: Cluster, tops: Tops): (readonly [Cluster, Phrase])[] {
  const key = phraseKey(from.main_phrase);
  const main = from.phrases.find(({ phrase }) => phraseKey(phrase) === key);
  return main && tops.has(key) ? [[from, main]] : [];
}

/** The group that a phrase belongs to: of those that share enough, its own cluster's, or the one that shares most. */
function nearest(groups: readonly Group[], { from, top }: Searched): Group | undefined {
  const near = groups
    .map((group) => ({ group, common: commonOf(group.top, top), isOwn: group.from === from }))
    .filter(({ common }) => common >= commonAddresses)
    .toSorted((one, other) => Number(other.isOwn) - Number(one.isOwn) || other.common - one.common);
  return near[0]?.group;
}

/** The group of a main phrase has the name and type of its cluster; others are named after the phrase that begins them. */
function begun(groups: Group[], { phrase, from, top }: Searched, isMain: boolean): Group {
  const named = isMain
    ? { name: from.cluster_name, type: from.cluster_type }
    : { name: phrase.phrase, type: phrase.intent === null ? from.cluster_type : typeOf(phrase) };
  const group: Group = { ...{ from, top, phrases: new Set() }, ...named };
  groups.push(group);
  return group;
}

function commonOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const address of one) if (other.has(address)) common += 1;
  return common;
}

/** An address as it is compared: no scheme, no `www`, no fragment, no marks of advertising. */
export function addressKey(url: string): string | undefined {
  const parsed = parsedUrl(url);
  if (!parsed) return undefined;
  const { hostname, pathname, searchParams } = parsed;
  for (const name of [...searchParams.keys()])
    if (/^(?:utm_\w+|yclid|gclid|from)$/.test(name)) searchParams.delete(name);
  const query = searchParams.size > 0 ? `?${searchParams}` : "";
  return `${hostname.replace(/^(?:www|m)\./, "")}${pathname.replace(/\/$/, "")}${query}`;
}
