import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Code } from './code.tsx';

interface About {
  label: string;
  /** A sentence below the label. */
  hint?: ComponentChildren;
  /** Its error. */
  error?: string | null;
  isOptional?: boolean;
}

interface InputProps extends About {
  type?: 'text' | 'search' | 'password' | 'number' | 'url' | 'email' | 'date' | 'datetime-local';
  name?: string;
  required?: boolean;
  disabled?: boolean;
  autocomplete?: 'off' | 'current-password' | 'email' | 'url';
  placeholder?: string;
  maxLength?: number;
  /** A regular expression for the whole value; `title` explains it where it does not match. */
  pattern?: string;
  title?: string;
  min?: string | number;
  max?: string | number;
  step?: string | number;
  /** The id of a `<datalist>`. */
  list?: string;
  spellcheck?: boolean;
  value: string;
  onValue: (value: string) => void;
}

export function TextField({ label, hint, error, isOptional, value, onValue, type = 'text', ...rest }: InputProps) {
  const id = useId();
  return (
    <Around id={id} {...{ label, hint, error, isOptional }}>
      <input
        {...({ ...rest, type } as object)}
        id={id}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={described(id, hint, error)}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Around>
  );
}

interface AreaProps extends About {
  name?: string;
  required?: boolean;
  disabled?: boolean;
  placeholder?: string;
  maxLength?: number;
  rows?: number;
  onKeyDown?: (event: KeyboardEvent) => void;
  spellcheck?: boolean;
  onPaste?: (event: ClipboardEvent) => void;
  value: string;
  onValue: (value: string) => void;
}

export function TextArea({ label, hint, error, isOptional, value, onValue, rows = 4, ...rest }: AreaProps) {
  const id = useId();
  return (
    <Around id={id} {...{ label, hint, error, isOptional }}>
      <textarea
        {...rest}
        id={id}
        rows={rows}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={described(id, hint, error)}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Around>
  );
}

/** A choice of a few. @param options value and label */
export function Select({
  label,
  hint,
  error,
  isOptional,
  value,
  onValue,
  options,
  disabled,
}: About & {
  value: string;
  onValue: (value: string) => void;
  options: readonly (readonly [value: string, name: string])[];
  disabled?: boolean;
}) {
  const id = useId();
  return (
    <Around id={id} {...{ label, hint, error, isOptional }}>
      <select
        id={id}
        value={value}
        disabled={disabled}
        aria-invalid={error ? true : undefined}
        aria-describedby={described(id, hint, error)}
        onChange={(event) => onValue(event.currentTarget.value)}
      >
        {options.map(([name, shown]) => (
          <option key={name} value={name}>
            {shown}
          </option>
        ))}
      </select>
    </Around>
  );
}

export function CheckBox({
  label,
  hint,
  isOn,
  onChange,
  disabled,
}: {
  label: ComponentChildren;
  hint?: ComponentChildren;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  disabled?: boolean;
}) {
  const id = useId();
  return (
    <div class="check">
      <input
        type="checkbox"
        id={id}
        checked={isOn}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        {hint && (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

/** One of a few, all to be seen. */
export function Choice({
  label,
  value,
  onValue,
  options,
}: {
  label: string;
  value: string;
  onValue: (value: string) => void;
  options: readonly { value: string; name: string; hint?: string }[];
}) {
  const id = useId();
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} class="check">
          <input
            type="radio"
            name={id}
            value={option.value}
            checked={option.value === value}
            onChange={() => onValue(option.value)}
          />
          <span>
            {option.name}
            {option.hint && <span class="hint">{option.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Around({ id, label, hint, error, isOptional, children }: About & { id: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isOptional && <span class="optional"> optional</span>}
      </label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
      {error && (
        <p class="wrong" id={`${id}-error`}>
          <Code text={error} />
        </p>
      )}
    </div>
  );
}

function described(id: string, hint: unknown, error: unknown): string | undefined {
  return [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
}
