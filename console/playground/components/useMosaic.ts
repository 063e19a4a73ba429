/** The layout of a post's pictures. Sizes that the twin does not know are read as the pictures load. */
import { useCallback, useMemo, useState } from "react";
import { type Mosaic, mosaicOf } from "../model/mosaic.ts";
import type { PostMedia } from "../model/timeline.ts";

export interface SizedMosaic extends Mosaic {
  /** Pixels, when the screen is wide enough. */
  readonly width: number;
  readonly learn: (url: string, width: number, height: number) => void;
}

const most = { width: 440, height: 500 };
const least = { width: 220 };
const unknownRatio = 4 / 3;

export function useMosaic(items: readonly PostMedia[]): SizedMosaic {
  const [learnt, setLearnt] = useState<ReadonlyMap<string, number>>(new Map());
  const learn = useCallback((url: string, width: number, height: number) => {
    const ratio = width / height;
    if (!Number.isFinite(ratio) || ratio === 0) return;
    setLearnt((known) => (known.get(url) === ratio ? known : new Map(known).set(url, ratio)));
  }, []);
  return useMemo(() => {
    const ratios = items.map(({ view }) =>
      view.width && view.height ? view.width / view.height : (learnt.get(view.url) ?? unknownRatio),
    );
    const mosaic = mosaicOf(ratios.length > 0 ? ratios : [unknownRatio]);
    const width = items.length > 1 ? most.width : Math.min(most.width, most.height * mosaic.ratio);
    return { ...mosaic, learn, width: Math.max(least.width, Math.round(width)) };
  }, [items, learnt, learn]);
}
