import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * A text in progress: kept in this tab until it is sent, through reloads, sign-ins and wrong turns. Never for
 * secrets.
 * @param key names the draft, e.g. `job:<project>`
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

type Fields = Record<string, string | boolean | readonly string[]>;

/**
 * The same for all fields of a form. When the form is gone, the draft is forgotten; until then it shows its
 * text.
 * @param kept which fields are kept; by default all. Never secrets
 */
export function useFormDraft<Form extends Fields>(
  key: string,
  initial: Form,
  kept: (form: Form) => Partial<Form> = (form) => form,
): [Form, (changes: Partial<Form>) => void, () => void] {
  const place = `docent-draft:${key}`;
  const [form, setForm] = useState(() => ({ ...initial, ...readFields(place, initial) }));
  const shown = useRef(place);
  useEffect(() => {
    if (shown.current === place) return;
    shown.current = place;
    setForm({ ...initial, ...readFields(place, initial) });
  }, [place]);
  return [
    form,
    (changes) => {
      const next = { ...form, ...changes };
      setForm(next);
      const text = JSON.stringify(kept(next));
      write(place, text === JSON.stringify(kept(initial)) ? null : text);
    },
    () => write(place, null),
  ];
}

/** Those fields that were kept and are of the form's kinds: another release may have kept others. */
function readFields<Form extends Fields>(place: string, initial: Form): Partial<Form> {
  const text = read(place);
  if (text === null) return {};
  try {
    const found = JSON.parse(text) as Record<string, unknown>;
    const isKnown = ([name, value]: [string, unknown]) =>
      Array.isArray(initial[name])
        ? Array.isArray(value) && value.every((each) => typeof each === 'string')
        : typeof value === typeof initial[name];
    return Object.fromEntries(
      Object.entries(found).filter((entry) => Object.hasOwn(initial, entry[0]) && isKnown(entry)),
    ) as Partial<Form>;
  } catch {
    return {};
  }
}

function read(place: string): string | null {
  try {
    return sessionStorage.getItem(place);
  } catch {
    // Storage may be disabled: then a draft lives as long as its page.
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
