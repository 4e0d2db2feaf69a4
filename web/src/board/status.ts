/** What somebody does or has come to, as it is said under his name. */
export interface Status {
  text: string;
  /** What is said where there is no room for it. */
  short?: string;
  icon?: string;
  tone?: "good" | "bad" | "bank" | "gold";
}
