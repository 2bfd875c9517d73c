import { to } from '../../shell/routes.ts';
import { words } from '../../words.ts';

const { recipes: w } = words;

/** Why there are recipes, and how to get more. */
export function SetUpModel() {
  return (
    <>
      {w.why} <a href={to.setUpModel()}>{w.setUpModel}</a>
    </>
  );
}
