import { Parser, type Options } from 'acorn';
import acornJsx from 'acorn-jsx';
import { spend } from './parse-work.ts';

/**
 * The parser of code in MDX, which counts its work: an expression is tried again at each brace that may end
 * it.
 */
export function countedAcorn(): Pick<typeof Parser, 'parse' | 'parseExpressionAt'> {
  const jsx = Parser.extend(acornJsx());
  return {
    parse(source: string, options: Options) {
      spendOn(source);
      return jsx.parse(source, options);
    },
    parseExpressionAt(source: string, at: number, options: Options) {
      spendOn(source);
      return jsx.parseExpressionAt(source, at, options);
    },
  };
}

/** Before it comes here, comments are looked for to the end of the code from each that begins. */
function spendOn(source: string): void {
  spend(source.length * (4 + Math.ceil((source.split('/*').length - 1) / 4)));
}
