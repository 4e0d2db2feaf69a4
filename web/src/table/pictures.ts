// What can be said in a picture.
import type { Say } from "../protocol";

export const PICTURES = ["clap", "laugh", "wow", "heart", "fire", "tears"] as const satisfies Say["phrase"][];
export type Picture = (typeof PICTURES)[number];

/** The picture of a phrase; undefined for words. */
export const pictureOf = (phrase: Say["phrase"]): Picture | undefined => PICTURES.find((picture) => picture === phrase);
