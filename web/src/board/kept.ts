/** The same answers to the same questions, for a few of the last: views come often, and most of them change no board. */
export function kept<Asked extends readonly unknown[], Answer>(
  ask: (...asked: Asked) => Answer,
  most = 12,
): (...asked: Asked) => Answer {
  const answers = new Map<string, Answer>();
  return (...asked) => {
    const key = JSON.stringify(asked);
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = ask(...asked);
    const [oldest] = answers.keys();
    if (answers.size === most && oldest !== undefined) answers.delete(oldest);
    answers.set(key, answer);
    return answer;
  };
}
