import type { Said } from "../said.ts";
import type { Niche } from "./niches.ts";

/** Niches where a wrong text harms health, rights or money: the disclaimer is mandatory. */
export const disclaimers: Partial<Readonly<Record<Niche, Said>>> = {
  medical: {
    ru: "Материал носит информационный характер и не заменяет консультацию врача. Имеются противопоказания, проконсультируйтесь со специалистом.",
    en: "This article is for information only and does not replace a doctor's advice. There may be contraindications: see a specialist.",
  },
  legal: {
    ru: "Материал носит информационный характер и не является юридической консультацией. По вашей ситуации обратитесь к юристу.",
    en: "This article is for information only and is not legal advice. Ask a lawyer about your case.",
  },
  finance: {
    ru: "Материал носит информационный характер и не является индивидуальной инвестиционной рекомендацией.",
    en: "This article is for information only and is not investment advice.",
  },
};

/** "Your money or your life": texts that searches judge more strictly. */
export function isYmyl(niche: Niche): boolean {
  return disclaimers[niche] !== undefined;
}

export function disclaimerOf(niche: Niche, language: keyof Said): string | undefined {
  return disclaimers[niche]?.[language];
}
