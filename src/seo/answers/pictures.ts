import { z } from "zod";

/** What the director of pictures answers: one concrete prompt for each place. */
export const directorAnswer = z.object({
  images: z.array(
    z.object({
      section_index: z.int().describe("Номер раздела из <sections>"),
      concept: z.string(),
      prompt: z.string(),
      negative_prompt: z.string(),
      aspect_ratio: z.enum(["16:9", "4:3", "1:1", "2:3", "3:4", "4:5", "9:16"]),
    }),
  ),
  visual_narrative: z.string().describe("Что объединяет картинки"),
});
export type DirectorAnswer = z.infer<typeof directorAnswer>;
