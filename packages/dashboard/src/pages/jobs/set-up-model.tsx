import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';

const { recipes: w } = text;

/** Why there are recipes, and how to get more. */
export function SetUpModel() {
  return (
    <>
      {w.why} <a href={to.setUpModel()}>{w.setUpModel}</a>
    </>
  );
}
