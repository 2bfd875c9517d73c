import { useState } from 'preact/hooks';
import { missingFields, RECIPES, recipeOf, type RecipeField } from '@docent/recipes/recipes';
import { CheckBox, Select, TextArea, TextField } from '../../parts/field.tsx';
import { text } from '../../text.ts';
import { SetUpModel } from './set-up-model.tsx';

const { recipes: w } = text;

/** The built-in editor's recipes as forms. A completed form writes the prompt. */
export function RecipeForm({ given, onPrompt }: { given: Record<string, string>; onPrompt: (prompt: string) => void }) {
  const [id, setId] = useState(() => (recipeOf(given['recipe'] ?? '') ? given['recipe']! : ''));
  const [values, setValues] = useState<Record<string, string>>(given);
  const recipe = recipeOf(id);
  const choose = (next: string, filled: Record<string, string>) => {
    setId(next);
    setValues(filled);
    const chosen = recipeOf(next);
    if (chosen) onPrompt(missingFields(chosen, filled).length === 0 ? chosen.prompt(filled) : '');
  };
  return (
    <section class="recipe" aria-label={w.title}>
      <Select
        label={w.title}
        hint={<SetUpModel />}
        value={id}
        onValue={(next) => choose(next, {})}
        options={[['', w.own], ...RECIPES.map(({ id: name, title }) => [name, title] as const)]}
      />
      {recipe?.fields.map((field) => (
        <Field
          key={`${id} ${field.name}`}
          field={field}
          value={values[field.name] ?? ''}
          onValue={(value) => choose(id, { ...values, [field.name]: value })}
        />
      ))}
    </section>
  );
}

function Field({ field, value, onValue }: { field: RecipeField; value: string; onValue: (value: string) => void }) {
  const { label, hint, kind, options = [], isOptional } = field;
  if (kind === 'check')
    return <CheckBox label={label} hint={hint} isOn={value !== ''} onChange={(isOn) => onValue(isOn ? 'true' : '')} />;
  if (kind === 'choice') return <Select {...{ label, hint, options }} value={value} onValue={onValue} />;
  const Kind = kind === 'long-text' ? TextArea : TextField;
  return <Kind {...{ label, hint, isOptional, value, onValue }} />;
}
