// Putting a text where it can be pasted from.

/** Whether the text was copied. `field` holds it, for browsers that copy only what is selected. */
export async function copyText(text: string, field: HTMLInputElement | HTMLTextAreaElement): Promise<boolean> {
  field.select();
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Over plain http there is no clipboard; what is selected can still be copied the old way.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    return document.execCommand("copy");
  }
}
