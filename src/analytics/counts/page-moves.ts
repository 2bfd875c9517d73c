/** The page for which views of a page are counted: itself, unless it moved. */
export type PageMoves = (path: string) => string;

/** Steps of a chain that are followed: patterns can lead on forever. */
const MAX_STEPS = 100;

/**
 * Follows moves to their last address.
 * @param next the next address of a path; null if it has not moved
 * @param onCircle gets a sentence for each circle, whose pages stay where they are
 */
export function followMoves(
  next: (path: string) => string | null,
  onCircle: (sentence: string) => void = () => {},
): PageMoves {
  return (path) => {
    const passed = [path];
    for (;;) {
      const current = passed.at(-1) as string;
      const to = next(current);
      if (to === null || to === current) return current;
      const at = passed.indexOf(to);
      if (at < 0 && passed.length < MAX_STEPS) passed.push(to);
      else {
        onCircle(`These page moves form a loop: ${[...passed.slice(Math.max(0, at)), to].join(' → ')}.`);
        return path;
      }
    }
  };
}
