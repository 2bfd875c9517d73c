import { useEffect, useState } from 'preact/hooks';

/**
 * Something that is being typed: kept in this tab until it is sent, through reloads, sign-ins and wrong turns. Never for secrets.
 * @param key says what it is a draft of, e.g. `job:<project>`
 */
export function useDraft(key: string, initial = ''): [string, (text: string) => void, () => void] {
  const place = `docent-draft:${key}`;
  const [text, setText] = useState(() => read(place) ?? initial);
  useEffect(() => setText(read(place) ?? initial), [place]);
  return [
    text,
    (next) => {
      setText(next);
      write(place, next === initial ? null : next);
    },
    () => {
      setText(initial);
      write(place, null);
    },
  ];
}

function read(place: string): string | null {
  try {
    return sessionStorage.getItem(place);
  } catch {
    // Storage may be forbidden: then a draft lives as long as its page.
    return null;
  }
}

function write(place: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, text);
  } catch {
    // As above; or it is full.
  }
}
