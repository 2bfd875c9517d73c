import { Code } from '../../parts/code.tsx';
import { CheckBox, Select, TextArea, TextField } from '../../parts/field.tsx';
import { text } from '../../text.ts';
import fields from './fields.json' with { type: 'json' };
import { SECTIONS } from './text.ts';

const { settings: w } = text;

/** A setting as it is declared (src/config/project-settings.ts); `npm run generate` writes them. */
interface Field {
  name: string;
  type: string;
  default: string;
  /** Whether the default is the installation's. */
  isInstallations?: boolean;
  options?: string[];
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  example?: unknown;
}

export const FIELDS: readonly Field[] = fields;
const WORDS = Object.assign({}, ...SECTIONS.map((section) => section.fields)) as (typeof SECTIONS)[number]['fields'];

/** A value as a form field shows it; empty for the default. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.join('\n') : String(value);
}

/** The API's value for a field's text. */
export function valueOf({ type }: Field, text: string): unknown {
  if (text.trim() === '') return null;
  if (type === 'boolean') return text === 'true';
  if (type === 'integer' || type === 'number') return Number(text);
  if (type === 'array')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  return text.trim();
}

/** One setting, in the field for its type. */
export function SettingField({
  field,
  value,
  onValue,
  error,
  disabled,
}: {
  field: Field;
  value: string;
  onValue: (text: string) => void;
  error: string | null;
  disabled: boolean;
}) {
  const { name, type, options } = field;
  const { title, hint: about, options: names = {} } = WORDS[name] ?? { title: name, hint: '' };
  const nameOf = (option: string) => names[option] ?? option;
  const byDefault = options ? field.default.split(', ').map(nameOf).join(', ') : field.default;
  const hint = (
    <>
      <Code text={about} /> {field.isInstallations ? w.byInstallation(byDefault) : w.byDefault(byDefault)}
      {type === 'array' && !options && ` ${w.listHint}`}
    </>
  );
  const shared = { label: title, hint, error, disabled, value, onValue };
  if (type === 'array' && options) {
    const chosen = value.split('\n').filter(Boolean);
    return (
      <fieldset class="choice">
        <legend>{shared.label}</legend>
        <p class="hint">{hint}</p>
        {options.map((option) => (
          <CheckBox
            key={option}
            label={nameOf(option)}
            disabled={disabled}
            isOn={chosen.includes(option)}
            onChange={(isOn) =>
              onValue((isOn ? [...chosen, option] : chosen.filter((each) => each !== option)).join('\n'))
            }
          />
        ))}
        {error && (
          <p class="wrong">
            <Code text={error} />
          </p>
        )}
      </fieldset>
    );
  }
  if (type === 'array') return <TextArea {...shared} rows={2} placeholder={shownValue(field.example)} />;
  if (type === 'boolean' || options) {
    const choices = options?.map((option) => [option, nameOf(option)] as const) ?? [
      ['true', w.yes] as const,
      ['false', w.no] as const,
    ];
    return <Select {...shared} options={[['', w.defaultOf(byDefault)], ...choices]} />;
  }
  if (type === 'integer' || type === 'number') {
    return (
      <TextField
        {...shared}
        type="number"
        min={field.minimum}
        max={field.maximum}
        step={type === 'integer' ? 1 : 'any'}
        placeholder={w.defaultChoice}
      />
    );
  }
  return <TextField {...shared} spellcheck={false} placeholder={shownValue(field.example)} />;
}
